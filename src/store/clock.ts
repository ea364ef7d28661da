/**
 * The clock of the store's file system, which may be another machine's: what it gives a file that is made now. Ages are
 * told by it alone. The probe stays as `clock`, so that the next gc knows how far the clock has gone since: its ctime,
 * which nobody can set.
 */
import { closeSync, fstatSync, lstatSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createPrivateFile } from "./file.ts";

export interface StoreClock {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** The same when it was last kept; undefined for the first time. */
  readonly lastMs: number | undefined;
}

/** Asks the clock and, with `keep`, remembers the answer; undefined where no file can be made. Never throws. */
export function readClock(dataDirectory: string, keep: boolean): StoreClock | undefined {
  const [kept, probe] = [join(dataDirectory, "clock"), join(dataDirectory, `clock.${process.pid}.tmp`)];
  try {
    rmSync(probe, { force: true });
    const lastMs = lstatSync(kept, { throwIfNoEntry: false })?.ctimeMs;
    const nowMs = timeOfNew(probe);
    if (keep) renameSync(probe, kept);
    else rmSync(probe);
    return { nowMs, lastMs };
  } catch {
    return undefined;
  }
}

function timeOfNew(path: string): number {
  const fd = createPrivateFile(path);
  try {
    return fstatSync(fd).mtimeMs;
  } finally {
    closeSync(fd);
  }
}
