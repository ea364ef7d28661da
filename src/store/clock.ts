/**
 * The clock of the store's file system, which may be another machine's: what it gives a file that is changed now. Ages
 * are told by it alone. The file `clock` is changed at each gc, so that the next one knows how far the clock has gone
 * since; its ctime says when, since nobody can set that, and chmod(2) renews it also on a full disk.
 */
import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createPrivateFile } from "./file.ts";

export interface StoreClock {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** The same when it was last kept; undefined for the first time. */
  readonly lastMs: number | undefined;
}

/** Asks the clock and, with `keep`, remembers the answer; undefined where it cannot be asked. Never throws. */
export function readClock(dataDirectory: string, keep: boolean): StoreClock | undefined {
  const path = join(dataDirectory, "clock");
  try {
    const lastMs = lstatSync(path, { throwIfNoEntry: false })?.ctimeMs;
    const nowMs = keep ? changeOf(openOwn(path)) : timeOfProbe(join(dataDirectory, `clock.${process.pid}.tmp`));
    return { nowMs, lastMs };
  } catch {
    return undefined;
  }
}

const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants;

function openOwn(path: string): number {
  return openSync(path, O_CREAT | O_NOFOLLOW | O_RDWR, 0o600);
}

function timeOfProbe(path: string): number {
  rmSync(path, { force: true });
  try {
    return changeOf(createPrivateFile(path));
  } finally {
    rmSync(path, { force: true });
  }
}

/** When the file is changed, which is now; closes it. */
function changeOf(fd: number): number {
  try {
    fchmodSync(fd, 0o600);
    return fstatSync(fd).ctimeMs;
  } finally {
    closeSync(fd);
  }
}
