import fc from "fast-check";
import { expect, it } from "vitest";
import { roundAge, roundSize } from "../../src/text/person.ts";

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 KiB"],
  [1024, "1.0 KiB"],
  [10_188, "9.9 KiB"],
  [10_189, "10 KiB"],
  [1_048_576, "1.0 MiB"],
  [2 ** 50, "1024 TiB"],
])("%d bytes are %s", (bytes, text) => expect(roundSize(bytes)).toBe(text));

it("a size is never off by more than a twentieth, and short", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 49 }), (bytes) => {
      const [count = "", unit = ""] = roundSize(bytes).split(" ");
      const said = Number(count) * 1024 ** ["B", "KiB", "MiB", "GiB", "TiB"].indexOf(unit);
      expect(Math.abs(said - bytes)).toBeLessThanOrEqual(bytes / 19);
      expect(count.length).toBeLessThanOrEqual(3);
    }),
  );
});

it.each([
  [-5, "0s"],
  [59_999, "59s"],
  [60_000, "1m"],
  [7_199_999, "1h"],
  [6.5 * 86_400_000, "6d"],
])("%d ms are %s", (ms, text) => expect(roundAge(ms)).toBe(text));
