import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { caselessMatcher } from "../../src/matching/caseless.ts";
import { compilePattern } from "../../src/matching/pattern.ts";

const lines = Buffer.from("one\ntwo\n\nThree €4\nfive.5\n");

describe("compilePattern", () => {
  it.each([
    { pattern: "two", at: 4 },
    { pattern: "TWO", ignoreCase: true, at: 4 },
    { pattern: "t.*o", at: 4 },
    { pattern: "^$", at: 8 },
    { pattern: "e$", at: 0 },
    { pattern: "€\\d", at: 9 },
    { pattern: "^.{8}$", at: 9 },
    { pattern: "e.5", fixed: true, at: 23 },
    { pattern: "E.5", fixed: true, ignoreCase: true, at: 23 },
    { pattern: "e\\.5", at: 20 },
    { pattern: "(x", fixed: true, at: -1 },
    { pattern: "six", at: -1 },
  ])("finds $pattern where it is", async ({ pattern, at, ...options }) => {
    expect((await compilePattern(pattern, options)).findLine(lines, 0)).toBe(at);
  });

  it.each(["(", "*", "[z-a]", "a{1001}", "(?=a)", "\\1", "(?P<a", "\\"])("refuses %s, naming it", async (pattern) => {
    await expect(compilePattern(pattern, {})).rejects.toThrow(
      expect.objectContaining({ kind: "usage", message: expect.stringContaining(JSON.stringify(pattern)) }),
    );
  });

  it("refuses a line end", async () => {
    await expect(compilePattern("a\nb", { fixed: true })).rejects.toThrow(expect.objectContaining({ kind: "usage" }));
  });

  it("finds plain words and the same as an expression in the same lines", async () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "é"), minLength: 1, maxLength: 3 });
    const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "\n"), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(word, text, async (pattern, value) => {
        const plain = await compilePattern(pattern, {});
        const expression = await compilePattern(`(?:${pattern})`, {});
        const bytes = Buffer.from(value);
        const lineOf = (at: number) => (at < 0 ? at : bytes.toString("latin1", 0, at).split("\n").length);
        expect(lineOf(plain.findLine(bytes, 0))).toBe(lineOf(expression.findLine(bytes, 0)));
        expect(plain.locate(bytes)).toBe(expression.locate(bytes));
        expect(plain.matches(bytes)).toBe(expression.matches(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  it("finds words without regard to case, and the same as an expression in the same lines", async () => {
    const word = fc.string({ unit: fc.constantFrom("k", "S", "a", ".", " "), minLength: 1, maxLength: 3 });
    const part = fc.constantFrom("k", "K", "\u212a", "s", "S", "\u017f", "a", "A", "â", "\u0141", ".", " ", "\n");
    const text = fc.string({ unit: part, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(word, text, fc.constantFrom(1, 5, 65_536), async (pattern, value, pieceBytes) => {
        const fast = caselessMatcher(pattern, pieceBytes);
        const expression = await compilePattern(`(?:${pattern.replaceAll(".", "\\.")})`, { ignoreCase: true });
        const bytes = Buffer.from(value);
        const lineOf = (at: number) => (at < 0 ? at : bytes.toString("latin1", 0, at).split("\n").length);
        for (let at = 0; at < bytes.length; at = bytes.indexOf(0x0a, at) + 1 || bytes.length) {
          expect(lineOf(fast.findLine(bytes, at))).toBe(lineOf(expression.findLine(bytes, at)));
        }
        expect(fast.locate(bytes)).toBe(expression.locate(bytes));
        expect(fast.matches(bytes)).toBe(expression.matches(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  // A backtracking engine never comes back from these.
  it.each(["(a+)+$", "(a|aa)+$", "(a*)*b", "^(a|a?)+$", "(.*a){12}$"])(
    "ends on a hostile line: %s",
    async (pattern) => {
      const matcher = await compilePattern(pattern, {});
      const line = Buffer.alloc(1_000_000, "a");
      expect(matcher.matches(line)).toBe(!pattern.endsWith("b"));
      expect(matcher.matches(Buffer.concat([line, Buffer.from("!")]))).toBe(false);
    },
  );
});
