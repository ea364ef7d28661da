import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFilePage } from "../../src/reading/file-page.ts";
import { type PageBounds, readPage } from "../../src/reading/page.ts";
import { type ByteSource, memorySource } from "../../src/reading/source.ts";
import { findTail } from "../../src/reading/tail.ts";
import { utf16Units } from "../../src/text/utf8.ts";

const lineUnits = 80;
const note = /\.\.\. \(([\d,]+) bytes cut; read on with --offset (\d+)\)/;
const text = (value: string) => memorySource(Buffer.from(value));

const anyLine = fc
  .tuple(fc.constantFrom("a", "é", "€", "🌑"), fc.integer({ min: 0, max: 130 }))
  .map(([character, count]) => character.repeat(count));
const anyFile = fc
  .tuple(fc.array(anyLine, { maxLength: 6 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join("\n") + (isEnded ? "\n" : ""));
const anyBounds: fc.Arbitrary<PageBounds> = fc.record({
  limitBytes: fc.integer({ min: 4, max: 600 }),
  maxLines: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  maxUnits: fc.option(fc.integer({ min: 2, max: 400 }), { nil: undefined }),
});

/** All of a file that can be reached from `at` up to `end` by following pages and the notes of cut lines. */
function follow(source: ByteSource, at: number, end: number, bounds: PageBounds): string {
  let all = "";
  for (let next: number | null = at; next !== null && next < end; ) {
    const page = readFilePage(source, next, bounds, lineUnits);
    expect(page.next === null || page.next > next).toBe(true);
    for (const piece of page.bytes.toString().split(/(?<=\n)/)) {
      const cut = note.exec(piece);
      if (cut === null) all += piece;
      else {
        const from = Number(cut[2]);
        const bytes = Number(cut[1]?.replaceAll(",", ""));
        const rest = from + bytes + (piece.endsWith("\n") ? 1 : 0);
        all += piece.slice(0, cut.index) + follow(source, from, rest, bounds);
      }
    }
    next = page.next;
  }
  return Buffer.from(all)
    .subarray(0, end - at)
    .toString();
}

describe("readFilePage", () => {
  it("shows a long line with a note in its place, and goes on behind it", () => {
    const file = text(`one\n${"x".repeat(1000)}\nthree\n`);
    const page = readFilePage(file, 0, { limitBytes: 1024 }, lineUnits);
    expect(page).toEqual({ offset: 0, bytes: expect.anything(), next: null });
    expect(page.bytes.toString()).toBe(`one\n${"x".repeat(31)}... (969 bytes cut; read on with --offset 35)\nthree\n`);
  });

  it("skips a line of several blocks", () => {
    const file = text(`${"x".repeat(3 << 20)}\nlast\n`);
    const page = readFilePage(file, 0, { limitBytes: 1024 }, lineUnits);
    expect(page.bytes.toString()).toMatch(/^x+\.\.\. \([\d,]+ bytes cut; read on with --offset \d+\)\nlast\n$/);
    expect(page.next).toBeNull();
  });

  it("leaves a line of just the limit alone", () => {
    const file = text(`${"x".repeat(80)}\n${"y".repeat(81)}\n`);
    const lines = readFilePage(file, 0, { limitBytes: 1024 }, lineUnits).bytes.toString().split("\n");
    expect(lines[0]).toBe("x".repeat(80));
    expect(lines[1]).toMatch(note);
  });

  it("is the page of anything else where no line is long", () => {
    const shortLines = fc.array(fc.string({ unit: "binary", maxLength: 40 }).map((line) => line.replaceAll("\n", "")));
    fc.assert(
      fc.property(shortLines, fc.nat({ max: 200 }), anyBounds, (lines, offset, bounds) => {
        const file = text(lines.join("\n"));
        expect(readFilePage(file, offset, bounds, lineUnits)).toEqual(readPage(file, offset, bounds));
      }),
      { numRuns: 3000 },
    );
  });

  it("shows, notes included, no more than the bounds allow, and no line over the limit", () => {
    fc.assert(
      fc.property(anyFile, fc.nat({ max: 300 }), anyBounds, (value, offset, bounds) => {
        const { bytes } = readFilePage(text(value), offset, bounds, lineUnits);
        expect(bytes.length).toBeLessThanOrEqual(bounds.limitBytes);
        expect(utf16Units(bytes)).toBeLessThanOrEqual(bounds.maxUnits ?? Number.POSITIVE_INFINITY);
        const lines = bytes.toString().split("\n");
        expect(lines.length - 1).toBeLessThanOrEqual(bounds.maxLines ?? Number.POSITIVE_INFINITY);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(lineUnits);
      }),
      { numRuns: 5000 },
    );
  });

  it("leads to every byte of the file by its next places and the notes of cut lines", () => {
    fc.assert(
      fc.property(anyFile, anyBounds, (value, bounds) => {
        const file = text(value);
        expect(follow(file, 0, file.size, bounds)).toBe(value);
      }),
      { numRuns: 2000 },
    );
  });

  it("shows the true end of a file behind long lines", () => {
    fc.assert(
      fc.property(anyFile, fc.integer({ min: 1, max: 5 }), anyBounds, (value, lines, bounds) => {
        const file = text(value);
        const { offset } = findTail(file, lines, bounds);
        expect(readFilePage(file, offset, bounds, lineUnits).next).toBeNull();
      }),
      { numRuns: 3000 },
    );
  });
});
