import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
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

test("the list keeps the last 1,000", () => {
  const data = temporaryDirectory();
  const all = Array.from({ length: 1203 }, (_, i) => removed(i));
  noteRemoved(data, all.slice(0, 600));
  noteRemoved(data, all.slice(600));
  expect(all.map(({ id }) => findRemoved(data, id)).filter(Boolean)).toEqual(all.slice(203));
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

test("a link in place of the list is replaced, not followed", () => {
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
