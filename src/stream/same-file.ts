import { fstatSync } from "node:fs";

/** True when both descriptors lead to the same file, device, pipe or socket (POSIX: st_dev and st_ino). */
export function isSameFile(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return false;
  try {
    const [one, other] = [fstatSync(a), fstatSync(b)];
    return one.dev === other.dev && one.ino === other.ino;
  } catch {
    return false;
  }
}
