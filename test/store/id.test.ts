import fc from "fast-check";
import { expect, test } from "vitest";
import { createID } from "../../src/store/id.ts";
import { isID, isReference, looksLikePrefix, parseReference, uriOf } from "../../src/store/reference.ts";
import { failureOf } from "./fixture.ts";

test("ids ascend within a process, whatever the clock does", () => {
  const start = Date.now();
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 20 }), (steps) => {
      const ids = steps.map((step) => createID(start + step));
      expect(ids.every(isID)).toBe(true);
      expect([...ids].sort()).toEqual(ids);
      expect(new Set(ids.map((id) => id.slice(0, 12))).size).toBe(ids.length);
    }),
    { numRuns: 2000 },
  );
});

test("every random character comes about as often as any other", () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 10_000; i += 1) {
    for (const character of createID(0).slice(12)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  // Of 140,000 each is expected 2,258 times with a deviation of 47; a modulo of 256 would give the first eight 2,734.
  for (const count of counts.values()) expect(Math.abs(count - 140_000 / 62)).toBeLessThan(330);
});

test("the time in an id wraps after 48 bits and the id keeps its shape", () => {
  expect(isID(createID(2 ** 36 * 1000))).toBe(true);
});

test("an id means itself, bare or as a URI", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (nowMs) => {
      const id = createID(nowMs);
      expect(parseReference(id)).toEqual({ kind: "id", id });
      expect(parseReference(uriOf(id))).toEqual({ kind: "id", id });
      expect(isReference(id) && isReference(uriOf(id))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

const id = "0123456789abABCDEFGHIJKLMN";

test("8 to 25 first characters are a prefix, and not yet a reference", () => {
  for (let length = 0; length <= 26; length += 1) {
    expect(looksLikePrefix(id.slice(0, length))).toBe(length >= 8 && length < 26);
  }
  expect(parseReference(id.slice(0, 13))).toEqual({ kind: "prefix", prefix: "0123456789abA" });
  expect(isReference(id.slice(0, 8))).toBe(false);
  expect(looksLikePrefix("01234567ABCD")).toBe(false);
});

test("last is a word of its own", () => {
  expect(parseReference("last")).toEqual({ kind: "last" });
  expect(isReference("last")).toBe(true);
  expect(isReference("last.txt")).toBe(false);
});

test.each([
  "",
  "tool-output://",
  "tool-output:",
  "tool-output://last",
  "tool-output://../secret",
  "tool-output:///etc/passwd",
  "tool-output://..%2fsecret",
  `tool-output://${id}/`,
  `tool-output://${id}.json`,
  `tool-output://${id}x`,
  `tool-output://${id}\n`,
  `tool-output://${id.slice(0, 25)}`,
  `TOOL-OUTPUT://${id}`,
  ` ${id}`,
  `${id}\n`,
  id.toLowerCase().slice(0, 25).toUpperCase(),
  "0123456",
  "LAST",
  "../../etc/passwd",
])("%j is refused as no reference", (text) => {
  expect(failureOf(() => parseReference(text)).kind).toBe("invalid-uri");
});

test("what is refused is named on one line, with nothing a terminal would obey", () => {
  const { message } = failureOf(() => parseReference("tool-output://\u001b[2J\n\u202e"));
  expect(message).toMatch(/^not a stored output: "[\x20-\x7e]+"$/);
});

test("a text that begins as a URI can only mean a stored output, however it goes on", () => {
  expect(isReference("tool-output://nonsense")).toBe(true);
  expect(isReference("Tool-Output:x")).toBe(true);
  expect(isReference("tool-output.txt")).toBe(false);
});
