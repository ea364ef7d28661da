import { expect, test } from "vitest";
import { limitKeys } from "../../src/limits.ts";
import { nearest } from "../../src/text/nearest.ts";

test.each([
  ["maxlines", "maxLines"],
  ["max-lines", "maxLines"],
  ["MAX_BYTES", "maxBytes"],
  ["maxByte", "maxBytes"],
  ["retentoin", "retention"],
  ["overflw", "overflow"],
])("%s most likely meant %s", (typed, meant) => {
  expect(nearest(typed, limitKeys)).toBe(meant);
});

test.each(["", "colour", "__proto__", "x".repeat(100_000)])("%.20s is near to no limit", (typed) => {
  expect(nearest(typed, limitKeys)).toBeUndefined();
});
