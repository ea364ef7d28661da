import fc from "fast-check";
import { expect, test } from "vitest";
import { nextBeginning, shapesAt, unfinishedBytes } from "../../src/redaction/beginnings.ts";
import { beginBytes, shapes } from "../../src/redaction/shapes.ts";

const beginnings = [...new Set(shapes.flatMap((shape) => shape.beginnings.map((text) => text.slice(0, beginBytes))))];

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(...beginnings, ...beginnings.map((text) => text.toUpperCase())),
      fc.string({ maxLength: 4 }),
      fc.constantFrom("s", "se", "-", "--", ":", "\u0000", "\u000d\u000d", "é"),
    ),
  )
  .map((parts) => Buffer.from(parts.join("")));

test("no beginning is missed, in any case of letters", () => {
  const isOne = (bytes: Buffer, at: number) =>
    beginnings.some((text) => bytes.toString("latin1", at, at + beginBytes).toLowerCase() === text.toLowerCase());
  fc.assert(
    fc.property(texts, fc.nat(10), (bytes, from) => {
      const found = nextBeginning(bytes, from);
      const end = found === -1 ? bytes.length : found;
      for (let at = from; at < end; at += 1) expect(isOne(bytes, at)).toBe(false);
      if (found !== -1) expect(shapesAt(bytes, found)).not.toEqual([]);
    }),
    { numRuns: 3000 },
  );
  for (const shape of shapes) {
    for (const text of shape.beginnings) expect(shapesAt(Buffer.from(text), 0)).toContain(shape);
  }
});

test("what may become one with the next bytes is known", () => {
  const unfinished = (text: string) => unfinishedBytes(Buffer.from(text));
  expect(["xse", "xSE", "xs", "x", "", "--", "a:", "pi", "q?"].map(unfinished)).toEqual([2, 2, 1, 1, 0, 2, 1, 0, 0]);
});
