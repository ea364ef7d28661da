import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatCount,
  formatDuration,
  formatSize,
  parseDuration,
  parseInteger,
  parseSize,
} from "../../src/text/quantity.ts";

const whole = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(5000),
  fc.constantFrom(1024, 1024 ** 2, 1024 ** 3, 1024 ** 4, 1024 ** 5),
);

describe("sizes", () => {
  test.each([
    ["51200", 51200],
    ["0", 0],
    ["50KiB", 51200],
    ["50kib", 51200],
    ["64k", 65536],
    ["64KB", 65536],
    ["1MiB", 1024 ** 2],
    ["2G", 2 * 1024 ** 3],
    ["16TiB", 16 * 1024 ** 4],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
  ])("%s is %d bytes", (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  test.each([
    "",
    " ",
    "1 MiB",
    " 1",
    "1\n",
    "1.5M",
    "-1",
    "+1",
    "1e3",
    "0x10",
    "M",
    "1P",
    "1Mi",
    "1MiBs",
    "1,024",
    "٣",
    "unlimited",
  ])("%j is refused", (text) => {
    expect(parseSize(text)).toBeUndefined();
  });

  test.each(["9007199254740992", "8192T", "99999999999999999999999999999"])(
    "%s is more than can be counted",
    (text) => {
      expect(parseSize(text)).toBeUndefined();
    },
  );

  test("formatting uses the largest unit that is exact", () => {
    expect([51200, 51201, 1024, 1023, 0, 2 * 1024 ** 3].map(formatSize)).toEqual([
      "50KiB",
      "51201",
      "1KiB",
      "1023",
      "0",
      "2GiB",
    ]);
  });

  test("parsing undoes formatting", () => {
    fc.assert(
      fc.property(whole, (bytes) => parseSize(formatSize(bytes)) === bytes),
      { numRuns: 5000 },
    );
  });
});

describe("durations", () => {
  test.each([
    ["500ms", 500],
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["2h", 7_200_000],
    ["7d", 604_800_000],
    ["1h30m", 5_400_000],
    ["1d2h3m4s5ms", 93_784_005],
    ["1m500ms", 60_500],
  ])("%s is %d ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each([
    "",
    "5",
    "s",
    "1.5h",
    "-1s",
    "1 h",
    "30m1h",
    "1h1h",
    "1H",
    "1w",
    "soon",
    "9007199254740992ms",
    "999999999999d",
  ])("%j is refused", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test("parsing undoes formatting", () => {
    fc.assert(
      fc.property(whole, (ms) => parseDuration(formatDuration(ms)) === ms),
      { numRuns: 5000 },
    );
  });
});

describe("whole numbers", () => {
  test.each(["", "-1", "1.5", "1e3", "0x1", " 1", "1_000", "9007199254740992"])("%j is refused", (text) => {
    expect(parseInteger(text)).toBeUndefined();
  });

  test("counts have a comma between thousands and the same digits", () => {
    expect([0, 999, 1000, 8004, 1_234_567].map(formatCount)).toEqual(["0", "999", "1,000", "8,004", "1,234,567"]);
    fc.assert(fc.property(whole, (count) => parseInteger(formatCount(count).replaceAll(",", "")) === count));
  });
});
