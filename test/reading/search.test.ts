import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern } from "../../src/matching/pattern.ts";
import { withContext } from "../../src/reading/context.ts";
import { searchLines, windowBytes } from "../../src/reading/search.ts";
import { memorySource } from "../../src/reading/source.ts";

const beginning = { start: 0, number: 1 };

async function search(value: string, pattern: string, inverted = false, from = beginning) {
  return [...searchLines(memorySource(Buffer.from(value)), await compilePattern(pattern, {}), from, inverted)];
}

const anyText = fc.string({ unit: fc.constantFrom("a", "b", "€", "\n"), maxLength: 60 });
const anyPattern = fc.constantFrom("a", "ab", "^b", "a$", "b.*a", "^$", "", "€");

/** Each line with its number and place, by splitting. */
function split(value: string) {
  let start = 0;
  return value.split(/(?<=\n)/).map((line, i) => {
    const entry = { number: i + 1, start, end: start + Buffer.byteLength(line), text: line.replace("\n", "") };
    start = entry.end;
    return entry;
  });
}

describe("searchLines", () => {
  it("finds every line that matches, with its number and place", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyPattern, fc.boolean(), fc.nat(9), async (value, pattern, inverted, first) => {
        const lines = value === "" ? [] : split(value).filter(({ start, end }) => end > start);
        const expected = lines.slice(first).filter(({ text }) => new RegExp(pattern, "u").test(text) !== inverted);
        const found = await search(value, pattern, inverted, lines[first] ?? { start: value.length * 3, number: 1 });
        expect(found.map(({ number, start, end }) => ({ number, start, end }))).toEqual(
          expected.map(({ number, start, end }) => ({ number, start, end })),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it("counts over blocks", async () => {
    const value = `${`${"x".repeat(79)}\n`.repeat(50_000)}needle\nlast`;
    expect(await search(value, "needle")).toEqual([
      { number: 50_001, start: 4_000_000, end: 4_000_007, window: 4_000_000 },
    ]);
    expect(await search(value, "^(l)ast$")).toEqual([
      { number: 50_002, start: 4_000_007, end: 4_000_011, window: 4_000_007 },
    ]);
  });

  const places = [0, 5, windowBytes - 3, windowBytes, windowBytes + 1, 2 * windowBytes, 3_500_000, 3_999_994];
  for (const pattern of ["needle", "n(e)edle", "needle.*"]) {
    it.each(places)(`finds ${pattern} at byte %i of a line of 4 MB, once`, async (place) => {
      const line = Buffer.alloc(4_000_000, "x");
      line.write("needle", place);
      const found = await search(`first\n${line}\nneedle\n`, pattern);
      expect(found.map(({ number, start, end }) => [number, start, end])).toEqual([
        [2, 6, 4_000_007],
        [3, 4_000_007, 4_000_014],
      ]);
      expect(found[0]?.window).toBeLessThanOrEqual(place + 6);
      expect(found[0]?.window).toBeGreaterThan(place + 6 - windowBytes);
    });
  }

  it("leaves out a line of 4 MB that matches anywhere when the others are wanted", async () => {
    const line = Buffer.alloc(4_000_000, "x");
    line.write("needle", 3_000_000);
    const found = await search(`first\n${line}\nneedle\n${"y".repeat(2_000_000)}\n`, "needle", true);
    expect(found.map(({ number, start, end }) => [number, start, end])).toEqual([
      [1, 0, 6],
      [4, 4_000_014, 6_000_015],
    ]);
  });

  it("knows where a long line begins and ends", async () => {
    const value = `${"x".repeat(3_000_000)}y\n`;
    for (const [pattern, count] of [
      ["^xx", 1],
      ["xy$", 1],
      ["x$", 0],
      ["^y", 0],
      ["^x+y$", 0],
    ] as const) {
      expect(await search(value, pattern)).toHaveLength(count);
    }
  });
});

describe("withContext", () => {
  const value = Array.from({ length: 12 }, (_, i) => `${i + 1}${[3, 4, 11].includes(i + 1) ? " hit" : ""}\n`).join("");
  const show = async (count: number, isWanted = () => true) => {
    const source = memorySource(Buffer.from(value));
    const matches = searchLines(source, await compilePattern("hit", {}), beginning, false);
    const lines = withContext(source, matches, beginning, { before: count, after: count }, isWanted);
    return [...lines].map((line) => (line.kind === "gap" ? "--" : `${line.number}${line.kind === "match" ? ":" : ""}`));
  };

  it.each([
    [0, ["3:", "4:", "11:"]],
    [1, ["2", "3:", "4:", "5", "--", "10", "11:", "12"]],
    [2, ["1", "2", "3:", "4:", "5", "6", "--", "9", "10", "11:", "12"]],
    [3, ["1", "2", "3:", "4:", "5", "6", "7", "8", "9", "10", "11:", "12"]],
    [1_000_000, ["1", "2", "3:", "4:", "5", "6", "7", "8", "9", "10", "11:", "12"]],
  ])("gives %i lines around each match, each line once", async (count, lines) => {
    expect(await show(count)).toEqual(lines);
  });

  it("looks for no context that nobody wants", async () => {
    expect(await show(2, () => false)).toEqual(["3:", "4:", "11:"]);
  });

  it("gives each line its own place and number", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.nat({ max: 4 }), fc.nat({ max: 4 }), async (text, before, after) => {
        const source = memorySource(Buffer.from(text));
        const lines = split(text);
        const matches = searchLines(source, await compilePattern("a", {}), beginning, false);
        const given = [...withContext(source, matches, beginning, { before, after }, () => true)];
        const near = ({ number }: { number: number }) =>
          lines.some(
            (line) => line.text.includes("a") && line.number - before <= number && number <= line.number + after,
          );
        const expected = text === "" ? [] : lines.filter(({ start, end }) => end > start).filter(near);
        expect(given.filter(({ kind }) => kind !== "gap")).toEqual(
          expected.map(({ number, start, end }) => expect.objectContaining({ number, start, end })),
        );
      }),
      { numRuns: 2000 },
    );
  });
});
