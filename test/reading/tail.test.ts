import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPage } from "../../src/reading/page.ts";
import { memorySource } from "../../src/reading/source.ts";
import { findTail } from "../../src/reading/tail.ts";
import { anyBytes } from "./bytes.ts";

const text = (value: string) => memorySource(Buffer.from(value));

describe("findTail", () => {
  it("begins at the lines asked for when they fit", () => {
    expect(findTail(text("1\n2\n3\n"), 2, { limitBytes: 100 })).toEqual({ wanted: 2, offset: 2 });
    expect(findTail(text("1\n2\n3"), 9, { limitBytes: 100 })).toEqual({ wanted: 0, offset: 0 });
    expect(findTail(text(""), 9, { limitBytes: 100 })).toEqual({ wanted: 0, offset: 0 });
  });

  it("begins at a line when that keeps half of what fits", () => {
    expect(findTail(text("aaaa\nbbbb\ncccc\n"), 3, { limitBytes: 8 })).toEqual({ wanted: 0, offset: 10 });
    expect(findTail(text("aaaa\nbbbb\ncccc\n"), 3, { limitBytes: 10 })).toEqual({ wanted: 0, offset: 5 });
  });

  it("begins inside a line when a whole one would be less than half", () => {
    expect(findTail(text("aaaaaaaaaa\nb\n"), 2, { limitBytes: 8 })).toEqual({ wanted: 0, offset: 5 });
    expect(findTail(text("aaaaaaaaaa"), 1, { limitBytes: 4 })).toEqual({ wanted: 0, offset: 6 });
  });

  it("begins at a character", () => {
    expect(findTail(text("€€€"), 1, { limitBytes: 4 })).toEqual({ wanted: 0, offset: 6 });
  });

  it("shows fewer lines and units when the page holds fewer", () => {
    expect(findTail(text("1\n2\n3\n4\n"), 3, { limitBytes: 100, maxLines: 2 })).toEqual({ wanted: 2, offset: 4 });
    expect(findTail(text("1\n2\n€€€€\n"), 3, { limitBytes: 100, maxUnits: 6 })).toEqual({ wanted: 0, offset: 4 });
  });

  it("leads to a page that ends where the source does", () => {
    const bounds = fc.record({
      limitBytes: fc.integer({ min: 4, max: 30 }),
      maxLines: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
      maxUnits: fc.option(fc.integer({ min: 4, max: 30 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(anyBytes, fc.integer({ min: 1, max: 5 }), bounds, (bytes, lines, bound) => {
        const { wanted, offset } = findTail(memorySource(bytes), lines, bound);
        const page = readPage(memorySource(bytes), offset, bound);
        expect(page.next).toBeNull();
        expect(offset).toBeGreaterThanOrEqual(wanted);
        expect(page.bytes.length > 0 || bytes.length === 0).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});
