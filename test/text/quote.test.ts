import fc from "fast-check";
import { expect, test } from "vitest";
import { quote } from "../../src/text/quote.ts";

test("texts, numbers and objects are shown as JSON", () => {
  expect([quote("5OO"), quote(1.5), quote({ a: [1] }), quote(undefined)]).toEqual([
    '"5OO"',
    "1.5",
    '{"a":[1]}',
    "undefined",
  ]);
});

test("control characters are shown by their numbers", () => {
  expect(quote("a\u001b[31m\u009b\u202e\n")).toBe('"a\\u001b[31m\\u{9b}\\u{202e}\\n"');
});

test("whatever the value, it is one line of at most 60 characters that a terminal does not obey", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 100 }), fc.jsonValue()), (value) => {
      const shown = quote(value);
      return Array.from(shown).length <= 60 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(shown);
    }),
    { numRuns: 2000 },
  );
});
