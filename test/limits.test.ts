import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure } from "../src/errors.ts";
import {
  builtInProfiles,
  describeRange,
  formatLimit,
  isLimitKey,
  type LimitKey,
  type Limits,
  type LimitValue,
  limitKeys,
  limitTable,
  parseLimit,
} from "../src/limits.ts";

const anyKey = fc.constantFrom(...limitKeys);

function refusal(key: LimitKey, text: string, source: string): Failure {
  try {
    parseLimit(key, text, source);
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error(`${key} took ${text}`);
}

test("every limit has the variable of its name", () => {
  expect(limitTable.maxLines.variable).toBe("TOOLOUT_MAX_LINES");
  expect(limitTable.overflow.variable).toBe("TOOLOUT_OVERFLOW");
  expect(new Set(limitKeys.map((key) => limitTable[key].variable)).size).toBe(14);
});

test("defaults and the values of built-in profiles are inside their ranges", () => {
  const defaults = Object.fromEntries(limitKeys.map((key) => [key, limitTable[key].default]));
  for (const values of [defaults, ...Object.values(builtInProfiles)] as Partial<Limits>[]) {
    for (const key of limitKeys.filter((key) => values[key] !== undefined)) {
      expect(parseLimit(key, formatLimit(key, values[key]), key)).toBe(values[key]);
    }
  }
});

test("no command has a flag for two limits", () => {
  for (const command of ["run", "pipe", "read"]) {
    const flags = limitKeys
      .filter((key) => limitTable[key].commands.includes(command))
      .map((key) => limitTable[key].flag);
    expect(new Set(flags).size).toBe(flags.length);
    expect(flags).not.toContain(null);
  }
});

test("ranges read as they are typed", () => {
  expect(describeRange("maxLines")).toBe("1 - 1,000,000");
  expect(describeRange("maxBytes")).toBe("1KiB - 64MiB");
  expect(describeRange("retention")).toBe("1h - 3650d");
  expect(describeRange("overflow")).toBe("store, drop, reject");
  expect(describeRange("redact")).toBe("true, false");
});

test("names of the prototype are no limits", () => {
  expect(["__proto__", "constructor", "toString", "maxLines"].map(isLimitKey)).toEqual([false, false, false, true]);
});

describe("parseLimit", () => {
  test("what formatLimit shows is taken for the same value", () => {
    fc.assert(
      fc.property(anyKey, fc.double({ min: 0, max: 1, noNaN: true }), (key, share) => {
        const { unit, least, most, words } = limitTable[key];
        const value = unit === null ? (words[0] as LimitValue) : Math.floor(least + share * (most - least));
        return parseLimit(key, formatLimit(key, value), key) === value;
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    { text: "true", value: true },
    { text: "1", value: true },
    { text: "false", value: false },
    { text: "0", value: false },
  ])("redact $text is $value", ({ text, value }) => {
    expect(parseLimit("redact", text, "TOOLOUT_REDACT")).toBe(value);
  });

  test("both ends of a range are inside, their neighbours are not", () => {
    for (const key of limitKeys.filter((key) => limitTable[key].unit !== null)) {
      const { unit, least, most } = limitTable[key];
      const text = (value: number) => `${value}${unit === "milliseconds" ? "ms" : ""}`;
      expect([parseLimit(key, text(least), key), parseLimit(key, text(most), key)]).toEqual([least, most]);
      refusal(key, text(least - 1), key);
      refusal(key, text(most + 1), key);
    }
  });

  test.each(["", "0", "-5", "1.5", "abc", "5OO", "unlimited", "1000001", "2k", " 7"])(
    "maxLines %j is refused by name, value and range",
    (text) => {
      const { kind, message } = refusal("maxLines", text, "--max-lines");
      expect(kind).toBe("usage");
      expect(message).toBe(
        `--max-lines (maxLines) must be a whole number in 1 - 1,000,000, not ${JSON.stringify(text)}`,
      );
    },
  );

  test.each([
    [
      "maxBytes",
      "12",
      '--max-bytes (maxBytes) must be a size such as 50KiB in 1KiB - 64MiB (1,024 - 67,108,864 bytes), not "12"',
    ],
    ["overflow", "maybe", '--overflow must be one of store, drop, reject, not "maybe"'],
    ["redact", "maybe", '--redact must be one of true, false, not "maybe"'],
    ["retention", "5", 'TOOLOUT_RETENTION (retention) must be a duration such as 1h30m in 1h - 3650d, not "5"'],
  ] as const)("a message says what %s must be", (key, text, message) => {
    const source = {
      maxBytes: "--max-bytes",
      overflow: "--overflow",
      redact: "--redact",
      retention: "TOOLOUT_RETENTION",
    }[key];
    expect(refusal(key, text, source).message).toBe(message);
  });
});
