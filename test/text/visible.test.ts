import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDocument, visible } from "../../src/text/visible.ts";

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

test.each([
  { text: "plain, é, 漢, 🟡", shown: "plain, é, 漢, 🟡" },
  { text: "a\u001b[2Jb", shown: "a\\u{1b}[2Jb" },
  { text: "one\ntwo\r", shown: "one\\u{a}two\\u{d}" },
  { text: "\u009b31m\u007f", shown: "\\u{9b}31m\\u{7f}" },
  { text: "\u202egnp.exe", shown: "\\u{202e}gnp.exe" },
  { text: "\ud800", shown: "\\u{d800}" },
])("$shown is shown", ({ text, shown }) => {
  expect(visible(text)).toBe(shown);
});

test("a text is cut to the characters that there is room for", () => {
  expect(visible("🟡🟡🟡", 3)).toBe("🟡🟡🟡");
  expect(visible("🟡🟡🟡", 2)).toBe("🟡…");
});

test("nothing hidden reaches a terminal, as text or in a document, and a document says the same", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(visible(text)).not.toMatch(hidden);
      const document = formatDocument({ text });
      expect(document.slice(0, -1)).not.toMatch(hidden);
      expect(document.endsWith("\n")).toBe(true);
      expect(JSON.parse(document)).toEqual({ text });
    }),
    { numRuns: 3000 },
  );
  expect(JSON.parse(formatDocument("\u{e0001}\ud800\u202e"))).toBe("\u{e0001}\ud800\u202e");
});
