import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pageOfEntries, readEntries } from "../../src/reading/directory.ts";

describe("readEntries", () => {
  it("lists directories first, each group in order", () => {
    const root = mkdtempSync(join(tmpdir(), "toolout-directory-"));
    for (const name of ["z", "B", "b"]) mkdirSync(join(root, name));
    for (const name of ["c", "A", "é", "a b"]) writeFileSync(join(root, name), "");
    expect(readEntries(root)).toEqual(["B/", "b/", "z/", "A", "a b", "c", "é"]);
    rmSync(root, { recursive: true });
    expect(() => readEntries(root)).toThrow(`cannot list ${root}: no such file or directory`);
  });
});

describe("pageOfEntries", () => {
  const names = Array.from({ length: 5000 }, (_, i) => String(10_000 + i));
  const limitBytes = 1_000_000;

  it("holds 2,000 names, and all pages join to the names", () => {
    const pages = [0, 2000, 4000].map((offset) => pageOfEntries(names, offset, { limitBytes }));
    expect(pages.map(({ entries, next }) => [entries.length, next])).toEqual([
      [2000, 2000],
      [2000, 4000],
      [1000, null],
    ]);
    expect(pages.flatMap(({ entries }) => entries)).toEqual(names);
  });

  it("is inside its bounds, and holds at least one name", () => {
    expect(pageOfEntries(names, 1, { limitBytes: 12 })).toEqual({ entries: ["10001", "10002"], offset: 1, next: 3 });
    expect(pageOfEntries(names, 1, { limitBytes: 1 })).toEqual({ entries: ["10001"], offset: 1, next: 2 });
    expect(pageOfEntries(names, 0, { limitBytes, maxLines: 3 }).next).toBe(3);
    expect(pageOfEntries(["\n\n"], 0, { limitBytes: 13 }).entries).toHaveLength(1);
  });

  it("is empty past the end", () => {
    expect(pageOfEntries(names, 9999, { limitBytes })).toEqual({ entries: [], offset: 5000, next: null });
  });
});
