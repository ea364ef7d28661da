import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerpt } from "../../src/reading/excerpt.ts";
import { memorySource } from "../../src/reading/source.ts";

function show(line: string, mostUnits: number, place: number): string {
  const bytes = Buffer.from(`before\n${line}\nafter\n`);
  return excerpt(memorySource(bytes), 7, bytes.length - 6, mostUnits, () => 7 + place);
}

describe("excerpt", () => {
  it("is the whole line where it fits", () => {
    expect(show("abc", 4, 0)).toBe("abc");
    expect(show("", 4, 0)).toBe("");
    expect(show("€€€€", 4, 0)).toBe("€€€€");
    expect(excerpt(memorySource(Buffer.from("abc")), 0, 3, 4, () => 0)).toBe("abc");
  });

  it("is cut around the place", () => {
    const line = `${"a".repeat(50)}HIT${"b".repeat(50)}`;
    expect(show(line, 18, 50)).toBe(`…aaaaHIT${"b".repeat(9)}…`);
    expect(show(line, 18, 0)).toBe(`${"a".repeat(16)}…`);
    expect(show(line, 18, 100)).toBe(`…${"b".repeat(16)}`);
  });

  it("is never longer than asked for, never breaks a character, and holds the place", () => {
    const characters = fc.array(fc.constantFrom("a", "é", "€", "🌑"), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(characters, fc.nat(), fc.integer({ min: 8, max: 40 }), (line, seed, mostUnits) => {
        const index = seed % line.length;
        const place = Buffer.byteLength(line.slice(0, index).join(""));
        const text = show(line.join(""), mostUnits, place);
        expect(text.length).toBeLessThanOrEqual(mostUnits);
        expect(text).not.toContain("\ufffd");
        expect(line.join("")).toContain(text.replaceAll("…", ""));
        expect(text).toContain(line[index]);
      }),
      { numRuns: 5000 },
    );
  });
});
