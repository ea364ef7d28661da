import { readdirSync } from "node:fs";
import { Failure, reason } from "../errors.ts";
import { visible } from "../text/visible.ts";
import type { PageBounds } from "./page.ts";

/** A piece of a directory's names; places count names. */
export interface EntryPage {
  readonly entries: readonly string[];
  readonly offset: number;
  readonly next: number | null;
}

/** The most names in a page. */
const mostEntries = 2000;

/**
 * The names in a directory: directories first, with a `/`, each group in code unit order whatever the locale.
 * @throws Failure "io"
 */
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

/** The names from number `offset` (0-based) on that are inside the bounds when each is shown on a line; at least one. */
export function pageOfEntries(entries: readonly string[], offset: number, bounds: PageBounds): EntryPage {
  const start = Math.min(offset, entries.length);
  const most = entries.slice(start, start + Math.min(mostEntries, bounds.maxLines ?? mostEntries));
  let left = bounds.limitBytes;
  const over = most.findIndex((entry) => {
    left -= Buffer.byteLength(entryLine(entry));
    return left < 0;
  });
  const shown = over < 0 ? most : most.slice(0, Math.max(1, over));
  const end = start + shown.length;
  return { entries: shown, offset: start, next: end < entries.length ? end : null };
}

export function entryLine(entry: string): string {
  return `${visible(entry)}\n`;
}
