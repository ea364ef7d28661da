import fc from "fast-check";
import { expect, test } from "vitest";
import { visibleBytes, visibleLines } from "../../src/text/visible-lines.ts";
import { outputs } from "../arbitraries.ts";

test.each([
  { text: "plain\té 漢 🟡\nnext\r\n", shown: "plain\té 漢 🟡\nnext\r\n" },
  { text: "\u001b[31mred\u001b[0m", shown: "\\u{1b}[31mred\\u{1b}[0m" },
  { text: "one\rtwo\b\u007f\u0000", shown: "one\\u{d}two\\u{8}\\u{7f}\\u{0}" },
  { text: "\u009b2J\u0085", shown: "\\u{9b}2J\\u{85}" },
  { text: "\u202egnp.\u2066exe\u2069", shown: "\\u{202e}gnp.\\u{2066}exe\\u{2069}" },
  { text: "\u200e\u200f\u061c\u2028\u{e0041}", shown: "\\u{200e}\\u{200f}\\u{61c}\\u{2028}\\u{e0041}" },
  { text: "👩\u200d👧 می\u200cخواهم soft\u00adhyphen", shown: "👩\u200d👧 می\u200cخواهم soft\u00adhyphen" },
])("$shown is shown", ({ text, shown }) => {
  expect(visibleLines(text)).toBe(shown);
  expect(visibleBytes(Buffer.from(text))).toBe(shown);
});

test.each([
  { bytes: [0x61, 0x9b, 0x33, 0x31, 0x6d], shown: "a\\x9b31m" },
  { bytes: [0x1b, 0xff, 0x0a], shown: "\\u{1b}\\xff\n" },
  { bytes: [0xc3, 0xa9, 0xe2, 0x82], shown: "é\\xe2\\x82" },
  { bytes: [0xc2, 0x9b, 0x80], shown: "\\u{9b}\\x80" },
  { bytes: [0xef, 0xbf, 0xbd, 0xc0], shown: "\ufffd\\xc0" },
])("bytes $bytes are $shown", ({ bytes, shown }) => {
  expect(visibleBytes(Buffer.from(bytes))).toBe(shown);
});

test("nothing that a terminal obeys is left, nothing is lost, and lines stay lines", () => {
  const obeyed = /(?!\t|\n|\r\n)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
  fc.assert(
    fc.property(fc.oneof(outputs, fc.uint8Array().map(Buffer.from)), (bytes) => {
      const shown = visibleBytes(bytes);
      expect(shown).not.toMatch(obeyed);
      expect(shown.split("\n").length).toBe(bytes.toString("latin1").split("\n").length);
      fc.pre(!bytes.includes("\\"));
      const back = shown.replace(/\\x([0-9a-f]{2})/g, (_, byte) => Buffer.from(byte, "hex").toString("latin1"));
      const plain = Buffer.from(bytes.toString("latin1").replace(/[\x80-\xff]/g, ""), "latin1").toString();
      const ascii = back
        .replace(/\\u\{([0-9a-f]+)\}/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
        .replace(/[^\0-\x7f]/g, "");
      expect(ascii).toBe(plain);
    }),
    { numRuns: 2000 },
  );
});
