import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findLeftovers, removeLeftovers } from "../../src/store/leftovers.ts";
import { temporaryDirectory } from "./fixture.ts";

const old = (...paths: string[]) => execFileSync("touch", ["-h", "-d", "2 hours ago", ...paths]);
const fifo = (path: string) => execFileSync("mkfifo", [path]);

/** What is found of what lies in the test's own directories: those of the machine are looked at, too. */
function found(data: string, temporary: string): string[] {
  return findLeftovers(data, { TMPDIR: temporary }, Date.now()).filter((path) => path.startsWith(temporary));
}

test("temporary files of gc and FIFOs of run that a kill left go after an hour, and nothing else", () => {
  const temporary = temporaryDirectory();
  const data = join(temporary, "data");
  mkdirSync(data);
  const left = [
    join(data, "clock.123.tmp"),
    join(data, "removed.4.tmp"),
    join(temporary, ".toolout-12-1abc-0.fifo"),
    join(temporary, ".toolout-12-1abc-1.fifo"),
  ] as const;
  const others = [join(data, "clock"), join(data, "clock.x.tmp"), join(data, "swept"), join(temporary, "a.fifo")];
  const disguised = [join(temporary, ".toolout-12-2abc-0.fifo"), join(data, "clock.9.tmp")] as const;
  for (const path of [left[0], left[1], ...others, disguised[0]]) writeFileSync(path, "");
  for (const path of [left[2], left[3]]) fifo(path);
  mkdirSync(disguised[1]);
  expect(found(data, temporary)).toEqual([]);
  old(...left, ...others, ...disguised);
  expect(found(data, temporary).sort()).toEqual([...left].sort());
  const young = join(temporary, ".toolout-13-1abc-0.fifo");
  fifo(young);
  expect(removeLeftovers(found(data, temporary))).toBe(4);
  expect(left.filter(existsSync)).toEqual([]);
  expect([...others, ...disguised, young].every(existsSync)).toBe(true);
});

test.skipIf(process.getuid?.() !== 0)("another user's is left alone", () => {
  const data = temporaryDirectory();
  const path = join(data, "clock.1.tmp");
  writeFileSync(path, "");
  execFileSync("chown", ["65534", path]);
  old(path);
  expect(found(data, data)).toEqual([]);
});

test("what has gone meanwhile, or cannot be read, is no trouble", () => {
  expect(removeLeftovers([join(temporaryDirectory(), "gone")])).toBe(0);
  expect(found("/dev/null", "/dev/null")).toEqual([]);
});
