import fc from "fast-check";
import { expect, test } from "vitest";
import { alignColumns, linesWithin } from "../../src/text/table.ts";

test("columns are aligned, and nothing follows the last", () => {
  const rows = [
    ["a", "1", "x"],
    ["bbb", "22", ""],
  ];
  expect(alignColumns(rows, [1])).toEqual(["a     1  x", "bbb  22"]);
});

test("no rows are no lines", () => {
  expect(alignColumns([])).toEqual([]);
});

test("the lines within limits are as many as fit", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.nat(20), fc.nat(100), (lines, maxLines, maxBytes) => {
      const bytes = (some: readonly string[]) => some.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
      const kept = linesWithin(lines, { maxLines, maxBytes });
      expect(lines.slice(0, kept.length)).toEqual(kept);
      expect(kept.length).toBeLessThanOrEqual(maxLines);
      expect(bytes(kept)).toBeLessThanOrEqual(maxBytes);
      const isLonger = kept.length < lines.length;
      const oneMore = lines.slice(0, kept.length + 1);
      expect(isLonger && oneMore.length <= maxLines && bytes(oneMore) <= maxBytes).toBe(false);
    }),
    { numRuns: 2000 },
  );
});
