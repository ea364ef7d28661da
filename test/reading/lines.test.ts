import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastLinesStart, lineEnd, lineStart } from "../../src/reading/lines.ts";
import { memorySource } from "../../src/reading/source.ts";

const text = (value: string) => memorySource(Buffer.from(value));
const anyText = fc.string({ unit: fc.constantFrom("a", "\n"), maxLength: 40 });

/** Where each line begins, by splitting. */
function starts(value: string): number[] {
  const all = [0, ...[...value.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return all.filter((at) => at < value.length);
}

/** Text over several blocks: lines of 99 characters, then one of 3 MiB, then three short ones. */
const large = `${`${"x".repeat(99)}\n`.repeat(30_000)}${"y".repeat(3 << 20)}\none\ntwo\nthree\n`;

describe("lineStart", () => {
  it("is where the line of that number begins, or the end", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (value, line) => {
        expect(lineStart(text(value), line)).toBe(starts(value)[line - 1] ?? value.length);
      }),
      { numRuns: 3000 },
    );
  });

  it("counts over blocks", () => {
    expect(lineStart(text(large), 30_001)).toBe(3_000_000);
    expect(lineStart(text(large), 30_002)).toBe(large.indexOf("one\n"));
    expect(lineStart(text(large), 30_005)).toBe(large.length);
  });
});

describe("lastLinesStart", () => {
  it("is where so many lines from the end begin, or the start", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (value, count) => {
        expect(lastLinesStart(text(value), count)).toBe(starts(value).at(-count) ?? 0);
      }),
      { numRuns: 3000 },
    );
  });

  it("counts over blocks, and goes no further than its floor", () => {
    expect(lastLinesStart(text(large), 3)).toBe(large.indexOf("one\n"));
    expect(lastLinesStart(text(large), 4)).toBe(3_000_000);
    expect(lastLinesStart(text(large), 1004)).toBe(2_900_000);
    expect(lastLinesStart(text(large), 1004, large.length, 2_950_000)).toBe(2_950_000);
    expect(lastLinesStart(text(large), 2, 3_000_000)).toBe(2_999_800);
  });
});

describe("lineEnd", () => {
  it("is behind the line end, or the end of the source", () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 40 }), (value, offset) => {
        const feed = value.indexOf("\n", offset);
        expect(lineEnd(text(value), offset)).toBe(feed < 0 ? value.length : feed + 1);
      }),
      { numRuns: 3000 },
    );
  });

  it("is found over blocks", () => {
    expect(lineEnd(text(large), 3_000_000)).toBe(large.indexOf("one\n"));
  });
});
