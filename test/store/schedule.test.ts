import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readClock } from "../../src/store/clock.ts";
import { isSweepDue } from "../../src/store/schedule.ts";
import { asOther, temporaryDirectory } from "./fixture.ts";

const minuteMs = 60_000;

test("the first time makes a stamp of mode 0600, keeps the clock, and is not due", () => {
  const data = temporaryDirectory();
  expect(isSweepDue(data, Date.now())).toBe(false);
  expect(statSync(join(data, "swept")).mode & 0o777).toBe(0o600);
  expect(readClock(data, false)?.lastMs).toEqual(expect.any(Number));
});

test.each([
  { ageMinutes: 0, isDue: false },
  { ageMinutes: 59, isDue: false },
  { ageMinutes: 61, isDue: true },
  { ageMinutes: 10_000, isDue: true },
  { ageMinutes: -59, isDue: false },
  { ageMinutes: -61, isDue: true },
])("after $ageMinutes minutes it is due: $isDue; and then one turn is given", ({ ageMinutes, isDue }) => {
  const data = temporaryDirectory();
  const now = Date.now();
  isSweepDue(data, now);
  const then = (now - ageMinutes * minuteMs) / 1000;
  utimesSync(join(data, "swept"), then, then);
  expect(isSweepDue(data, now)).toBe(isDue);
  expect(isSweepDue(data, now)).toBe(false);
});

test("a link in place of the stamp is renewed itself, its target never", () => {
  const data = temporaryDirectory();
  writeFileSync(join(data, "victim"), "as it was");
  symlinkSync("victim", join(data, "swept"));
  const before = lstatSync(join(data, "victim")).mtimeMs;
  expect(isSweepDue(data, Date.now() + 90 * minuteMs)).toBe(true);
  expect(lstatSync(join(data, "victim")).mtimeMs).toBe(before);
  expect(readFileSync(join(data, "victim"), "utf8")).toBe("as it was");
});

test("where no stamp can be made or renewed nothing is due and nothing is thrown", async () => {
  const data = temporaryDirectory();
  expect(isSweepDue(join(data, "missing"), Date.now())).toBe(false);
  expect(isSweepDue("/dev/null", Date.now())).toBe(false);
  mkdirSync(join(data, "closed"));
  chmodSync(join(data, "closed"), 0o555);
  expect(await asOther(data, () => isSweepDue(join(data, "closed"), Date.now()))).toBe(false);
  isSweepDue(data, Date.now());
  const isOtherUser = process.getuid?.() === 0;
  expect(await asOther(data, () => isSweepDue(data, Date.now() + 90 * minuteMs))).toBe(!isOtherUser);
});
