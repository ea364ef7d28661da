import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PageBounds, readPage } from "../../src/reading/page.ts";
import { memorySource } from "../../src/reading/source.ts";
import { borderBefore, utf16Units } from "../../src/text/utf8.ts";
import { anyBytes, countingSource } from "./bytes.ts";

const text = (value: string) => memorySource(Buffer.from(value));
const runs = { numRuns: 5000 };
const anyBounds: fc.Arbitrary<PageBounds> = fc.record({
  limitBytes: fc.integer({ min: 1, max: 20 }),
  maxLines: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  maxUnits: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
});

function show(value: string, offset: number, bounds: PageBounds) {
  const page = readPage(text(value), offset, bounds);
  return [page.offset, page.bytes.toString(), page.next];
}

describe("readPage", () => {
  it.each([
    { name: "begins at the offset", at: 2, bounds: { limitBytes: 3 }, page: [2, "cde", 5] },
    { name: "is the last one when it reaches the end", at: 3, bounds: { limitBytes: 3 }, page: [3, "def", null] },
    { name: "is empty at the end", at: 6, bounds: { limitBytes: 3 }, page: [6, "", null] },
    { name: "is empty past the end", at: 99, bounds: { limitBytes: 3 }, page: [6, "", null] },
    { name: "holds fewer units when asked to", at: 0, bounds: { limitBytes: 5, maxUnits: 2 }, page: [0, "ab", 2] },
  ])("$name", ({ at, bounds, page }) => {
    expect(show("abcdef", at, bounds)).toEqual(page);
  });

  it.each([
    { at: 1, limitBytes: 4, page: [1, "€b", null] },
    { at: 1, limitBytes: 3, page: [1, "€", 4] },
    { at: 1, limitBytes: 2, page: [1, "€", 4] },
    { at: 2, limitBytes: 9, page: [4, "b", null] },
    { at: 3, limitBytes: 1, page: [4, "b", null] },
    { at: 0, limitBytes: 3, page: [0, "a", 1] },
  ])("never cuts inside a character: $limitBytes bytes from $at", ({ at, limitBytes, page }) => {
    expect(show("a€b", at, { limitBytes })).toEqual(page);
  });

  it("is empty at the end when the offset is inside the last character", () => {
    expect(show("a€", 2, { limitBytes: 5 })).toEqual([4, "", null]);
  });

  it("ends after so many lines", () => {
    expect(show("1\n2\n3", 0, { limitBytes: 9, maxLines: 2 })).toEqual([0, "1\n2\n", 4]);
    expect(show("1\n2\n", 0, { limitBytes: 9, maxLines: 2 })).toEqual([0, "1\n2\n", null]);
    expect(show("1\n2\n3", 0, { limitBytes: 9, maxLines: 3 })).toEqual([0, "1\n2\n3", null]);
  });

  it("takes one read, whatever the size", () => {
    const source = countingSource(Buffer.alloc(1_000_000, "€"));
    readPage(source, 500_001, { limitBytes: 1024 });
    expect(source.lengths).toEqual([3 + 3 + 1024 + 3]);
  });

  it("joins with the following pages to the bytes, each inside its bounds or one character", () => {
    fc.assert(
      fc.property(anyBytes, fc.array(anyBounds, { minLength: 1, maxLength: 5 }), (bytes, bounds) => {
        const pages: Buffer[] = [];
        for (let at: number | null = 0; at !== null; ) {
          const bound = bounds[pages.length % bounds.length] as PageBounds;
          const page = readPage(memorySource(bytes), at, bound);
          expect(page.offset).toBe(at);
          expect(page.next === null || page.next === at + page.bytes.length).toBe(true);
          expect(page.bytes.length > 0 || bytes.length === 0).toBe(true);
          if (utf16Units(page.bytes) > 2) {
            expect(page.bytes.length).toBeLessThanOrEqual(bound.limitBytes);
            expect(utf16Units(page.bytes)).toBeLessThanOrEqual(bound.maxUnits ?? 99);
          }
          pages.push(page.bytes);
          at = page.next;
        }
        expect(Buffer.concat(pages).equals(bytes)).toBe(true);
      }),
      runs,
    );
  });

  it("begins and ends at borders of characters, wherever it was asked to begin", () => {
    fc.assert(
      fc.property(anyBytes, fc.nat({ max: 70 }), anyBounds, (bytes, offset, bounds) => {
        const page = readPage(memorySource(bytes), offset, bounds);
        const end = page.offset + page.bytes.length;
        expect(page.offset).toBeGreaterThanOrEqual(Math.min(offset, bytes.length));
        expect(page.offset).toBeLessThanOrEqual(Math.min(offset + 3, bytes.length));
        for (const at of [page.offset, end]) if (at < bytes.length) expect(borderBefore(bytes, at)).toBe(at);
      }),
      runs,
    );
  });

  it("decodes page by page to what the whole decodes to", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), anyBounds, (value, bounds) => {
        let joined = "";
        for (let at: number | null = 0; at !== null; ) {
          const page = readPage(text(value), at, bounds);
          joined += page.bytes.toString();
          at = page.next;
        }
        expect(joined).toBe(Buffer.from(value).toString());
      }),
      runs,
    );
  });
});
