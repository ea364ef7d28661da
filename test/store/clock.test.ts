import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { readClock } from "../../src/store/clock.ts";
import { temporaryDirectory } from "./fixture.ts";

test("the clock is the file system's, whatever the process believes", () => {
  const data = temporaryDirectory();
  writeFileSync(join(data, "made now"), "");
  vi.useFakeTimers({ now: 0 });
  const nowMs = readClock(data, false)?.nowMs ?? 0;
  vi.useRealTimers();
  expect(nowMs - statSync(join(data, "made now")).mtimeMs).toBeGreaterThanOrEqual(0);
  expect(nowMs - statSync(join(data, "made now")).mtimeMs).toBeLessThan(60_000);
});

test("only what is kept is known the next time", () => {
  const data = temporaryDirectory();
  expect(readClock(data, false)?.lastMs).toBeUndefined();
  expect(readdirSync(data)).toEqual([]);
  const first = readClock(data, true);
  expect(first?.lastMs).toBeUndefined();
  expect(readdirSync(data)).toEqual(["clock"]);
  expect(statSync(join(data, "clock")).mode & 0o777).toBe(0o600);
  const [last, now] = [readClock(data, false)?.lastMs ?? 0, first?.nowMs ?? 0];
  expect(Math.abs(last - now)).toBeLessThan(60_000);
});

test("nobody sets what was kept by setting the times of the file", () => {
  const data = temporaryDirectory();
  readClock(data, true);
  utimesSync(join(data, "clock"), 1, 1);
  expect(readClock(data, false)?.lastMs).toBeGreaterThan(Date.now() - 3_600_000);
});

test("links in its place are not followed, and where it cannot be asked it says nothing", () => {
  const data = temporaryDirectory();
  writeFileSync(join(data, "victim"), "as it was", { mode: 0o644 });
  symlinkSync("victim", join(data, `clock.${process.pid}.tmp`));
  expect(readClock(data, false)).toBeDefined();
  expect(readdirSync(data)).toEqual(["victim"]);
  symlinkSync("victim", join(data, "clock"));
  expect(readClock(data, true)).toBeUndefined();
  expect([readFileSync(join(data, "victim"), "utf8"), statSync(join(data, "victim")).mode & 0o777]).toEqual([
    "as it was",
    0o644,
  ]);
  expect(readClock(join(data, "missing"), true)).toBeUndefined();
  mkdirSync(join(data, `clock.${process.pid}.tmp`));
  expect(readClock(data, false)).toBeUndefined();
});
