import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createID } from "../../src/store/id.ts";
import { findRemoved, noteRemoved, type RemovedOutput } from "../../src/store/removed.ts";
import { asOther, temporaryDirectory } from "./fixture.ts";

const removed = (removedMs: number): RemovedOutput => ({ id: createID(removedMs), removedMs, reason: "expired" });

test("what was noted is found, by id and by prefix", () => {
  const data = temporaryDirectory();
  const [one, other] = [removed(1), removed(2)];
  noteRemoved(data, [one]);
  noteRemoved(data, [other]);
  expect(findRemoved(data, one.id)).toEqual(one);
  expect(findRemoved(data, other.id.slice(0, 25))).toEqual(other);
  expect(findRemoved(data, createID(3))).toBeUndefined();
  expect(readdirSync(data)).toEqual(["removed"]);
  expect(statSync(join(data, "removed")).mode & 0o777).toBe(0o600);
});

test("the list keeps at least the last 10,000, in a file of bounded size", () => {
  const data = temporaryDirectory();
  const all = Array.from({ length: 50_000 }, (_, i) => removed(i));
  for (let i = 0; i < all.length; i += 500) noteRemoved(data, all.slice(i, i + 500));
  const [last, earlier] = [all.slice(-10_000), all.slice(0, 1000)];
  for (const one of last.filter((_, i) => i % 97 === 0)) expect(findRemoved(data, one.id)).toEqual(one);
  expect(findRemoved(data, last[0]?.id ?? "")).toEqual(last[0]);
  expect(findRemoved(data, earlier[0]?.id ?? "")).toBeUndefined();
  expect(statSync(join(data, "removed")).size).toBeLessThan(2.1 * 1024 * 1024);
  expect(readdirSync(data)).toEqual(["removed"]);
});

test("a line that a kill cut off spoils no other", () => {
  const data = temporaryDirectory();
  const [one, cut, other] = [removed(1), removed(2), removed(3)];
  noteRemoved(data, [one, cut]);
  truncateSync(join(data, "removed"), statSync(join(data, "removed")).size - 9);
  noteRemoved(data, [other]);
  expect([one, cut, other].map(({ id }) => findRemoved(data, id))).toEqual([one, undefined, other]);
});

test("nothing to note makes no file", () => {
  const data = temporaryDirectory();
  noteRemoved(data, []);
  expect(readdirSync(data)).toEqual([]);
});

test.each(["", "nonsense\n", "0123456789abABCDEFGHIJKLMN x expired\n", "\0\0\0"])(
  "a list that holds %j is no trouble",
  (text) => {
    const data = temporaryDirectory();
    writeFileSync(join(data, "removed"), text);
    expect(findRemoved(data, "0123456789abABCDEFGHIJKLMN")).toBeUndefined();
    const entry = removed(1);
    noteRemoved(data, [entry]);
    expect(findRemoved(data, entry.id)).toEqual(entry);
  },
);

test("a link in place of the list is not followed", () => {
  const data = temporaryDirectory();
  writeFileSync(join(data, "victim"), "as it was");
  symlinkSync("victim", join(data, "removed"));
  noteRemoved(data, [removed(1)]);
  expect(readFileSync(join(data, "victim"), "utf8")).toBe("as it was");
});

test("a place that cannot be written is no trouble", async () => {
  const data = temporaryDirectory();
  mkdirSync(join(data, "closed"));
  chmodSync(join(data, "closed"), 0o555);
  const entry = removed(1);
  await asOther(data, () => noteRemoved(join(data, "closed"), [entry]));
  noteRemoved(join(data, "missing"), [entry]);
  expect(readdirSync(join(data, "closed"))).toEqual([]);
  expect(findRemoved(join(data, "missing"), entry.id)).toBeUndefined();
});
