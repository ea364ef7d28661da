import { readdirSync } from "node:fs";
import { Failure, reason } from "../errors.ts";
import { visible } from "../visible.ts";

/** The names in a directory: directories first, with a `/`, each group in code unit order whatever the locale. */
export function readEntries(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    const directories = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${name}/`);
    const others = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    return [...directories.sort(), ...others.sort()];
  } catch (error) {
    throw new Failure("io", `cannot list ${visible(path)}: ${reason(error)}`, { cause: error });
  }
}

/** How many of the lines, in order, fit in `limitBytes`; at least one when there is one. */
export function countFitting(lines: readonly string[], limitBytes: number): number {
  let left = limitBytes;
  const over = lines.findIndex((line) => {
    left -= Buffer.byteLength(line);
    return left < 0;
  });
  return over < 0 ? lines.length : Math.max(1, over);
}
