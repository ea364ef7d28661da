import fc from "fast-check";
import { expect, it } from "vitest";
import { countLineFeeds, countLines } from "../../src/text/lines.ts";

it("counts what a plain loop counts, at any length and place", () => {
  const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, i) => (i * i * 31) % 23)); // 10 among others
  fc.assert(
    fc.property(fc.nat(200_000), fc.oneof(fc.nat(40), fc.nat(200_000)), (start, length) => {
      const part = bytes.subarray(start, start + length);
      expect(countLineFeeds(part)).toBe(part.filter((byte) => byte === 10).length);
    }),
    { numRuns: 300 },
  );
});

it("counts only line feeds, wherever they stand in a block", () => {
  for (const size of [4095, 4096, 4097, 65_536, 131_072, 131_073, 300_000]) {
    expect(countLineFeeds(Buffer.alloc(size, 10))).toBe(size);
    expect(countLineFeeds(Buffer.alloc(size, 13))).toBe(0);
    for (const at of [0, 15, 16, size - 1]) {
      const bytes = Buffer.alloc(size);
      bytes[at] = 10;
      expect(countLineFeeds(bytes)).toBe(1);
    }
  }
});

it("leaves nothing of one count for the next", () => {
  countLineFeeds(Buffer.alloc(131_072, 10));
  expect(countLineFeeds(Buffer.alloc(5000))).toBe(0);
  expect(countLineFeeds(Buffer.alloc(5001))).toBe(0);
});

it("counts a last line without an end, and none after a final one", () => {
  expect(["", "\n", "a", "a\n", "a\nb", "\n\n"].map((text) => countLines(Buffer.from(text)))).toEqual([
    0, 1, 1, 1, 2, 2,
  ]);
});
