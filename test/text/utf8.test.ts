import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  borderAfter,
  borderBefore,
  characterBytes,
  prefixWithin,
  suffixWithin,
  utf16Units,
} from "../../src/text/utf8.ts";

const euro = [0xe2, 0x82, 0xac];
const moon = [0xf0, 0x9f, 0x9f, 0xa1];

/** Bytes that are often almost UTF-8. */
const almostUtf8 = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 3 }).map((text) => [...Buffer.from(text)]),
      fc.array(fc.constantFrom(0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xe2, 0xed, 0xf0, 0xf4, 0xff, 0x0d, 0x0a), {
        maxLength: 3,
      }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.from(parts.flat()));

/** Starts of characters by the platform's own decoder: each prefix that decodes on its own as it does within the whole. */
function units(bytes: Uint8Array): number {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).length;
}

describe("characterBytes", () => {
  it.each([
    { bytes: [0x61], length: 1 },
    { bytes: euro, length: 3 },
    { bytes: moon, length: 4 },
    { bytes: [0xe2, 0x82, 0x41], length: 2 },
    { bytes: [0xe0, 0x80, 0x80], length: 1 },
    { bytes: [0xed, 0xa0, 0x80], length: 1 },
    { bytes: [0xf4, 0x90, 0x80, 0x80], length: 1 },
    { bytes: [0x80, 0x80], length: 1 },
    { bytes: [0xf0, 0x9f], length: 2 },
  ])("takes $length bytes of $bytes", ({ bytes, length }) => {
    expect(characterBytes(Uint8Array.from(bytes), 0)).toBe(length);
  });
});

describe("borders", () => {
  it("lie around a character, never inside it", () => {
    const bytes = Uint8Array.from([0x61, ...euro, ...moon]);
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map((at) => borderBefore(bytes, at))).toEqual([0, 1, 1, 1, 4, 4, 4, 4, 8]);
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map((at) => borderAfter(bytes, at))).toEqual([0, 1, 4, 4, 4, 8, 8, 8, 8]);
  });

  it("leave out a character that only began when more may follow", () => {
    expect(borderBefore(Uint8Array.from([0x61, 0xe2, 0x82]), 3)).toBe(1);
    expect(borderBefore(Uint8Array.from([0x61, 0x82, 0x82]), 3)).toBe(3);
  });

  it("split text into two parts that decode to the same text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, seed) => {
        const bytes = Buffer.from(text);
        const at = borderBefore(bytes, seed % (bytes.length + 1));
        const next = borderAfter(bytes, seed % (bytes.length + 1));
        expect(bytes.subarray(0, at).toString() + bytes.subarray(at).toString()).toBe(bytes.toString());
        expect(bytes.subarray(0, next).toString() + bytes.subarray(next).toString()).toBe(bytes.toString());
        expect(next - at).toBeLessThanOrEqual(4);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("UTF-16 units", () => {
  it("are counted as the platform's decoder counts them", () => {
    fc.assert(
      fc.property(almostUtf8, (bytes) => {
        let sum = 0;
        for (let at = 0; at < bytes.length; at += characterBytes(bytes, at)) {
          const length = characterBytes(bytes, at);
          sum += units(bytes.subarray(at, at + length));
        }
        expect(sum).toBe(units(bytes));
        expect(utf16Units(bytes)).toBe(units(bytes));
      }),
      { numRuns: 5000 },
    );
  });

  it("bound a prefix and a suffix that could not be longer", () => {
    fc.assert(
      fc.property(almostUtf8, fc.nat(12), (bytes, limit) => {
        const end = prefixWithin(bytes, limit);
        expect(units(bytes.subarray(0, end))).toBeLessThanOrEqual(limit);
        if (end < bytes.length) {
          expect(units(bytes.subarray(0, end + characterBytes(bytes, end)))).toBeGreaterThan(limit);
        }
        const start = suffixWithin(bytes, limit);
        expect(units(bytes.subarray(start))).toBeLessThanOrEqual(limit);
        if (start > 0) expect(units(bytes.subarray(Math.max(0, start - 4)))).toBeGreaterThan(limit);
      }),
      { numRuns: 5000 },
    );
  });
});
