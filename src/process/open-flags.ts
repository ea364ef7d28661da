/** How a descriptor of ours was opened, from /proc/self/fdinfo (proc(5)); only Linux has it. */
import { readFileSync } from "node:fs";

/** Linux's numbers, on the architectures that Node runs on; os.constants has them under Linux's Node alone. */
export const accessMode = 0o3;
export const writeOnly = 0o1;
export const nonBlocking = 0o4000;

/** The flags of open(2); null where they cannot be told. */
export function openFlags(fd: number): number | null {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1];
    return flags === undefined ? null : Number.parseInt(flags, 8);
  } catch {
    return null;
  }
}
