import { closeSync, lstatSync, lutimesSync } from "node:fs";
import { join } from "node:path";
import { readClock } from "./clock.ts";
import { createPrivateFile } from "./file.ts";

const periodMs = 3_600_000;

/**
 * Whether a sweep should be started now: an hour after the last one. Who is told so has the turn: the stamp is renewed
 * before the sweep, so that of many processes that end together hardly two sweep. A stamp more than an hour in the future
 * comes from a wrong clock and does not count. The first time makes a stamp, keeps the store's clock for the first sweep to
 * compare with, and answers false. Never throws.
 */
export function isSweepDue(dataDirectory: string, nowMs: number): boolean {
  const stamp = join(dataDirectory, "swept");
  try {
    const stats = lstatSync(stamp, { throwIfNoEntry: false });
    if (stats === undefined) {
      closeSync(createPrivateFile(stamp));
      readClock(dataDirectory, true);
      return false;
    }
    if (Math.abs(nowMs - stats.mtimeMs) <= periodMs) return false;
    lutimesSync(stamp, nowMs / 1000, nowMs / 1000);
    return true;
  } catch {
    return false;
  }
}
