import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileFaults, type LimitSources, resolveLimits } from "../../src/config/resolve.ts";
import { type LimitKey, limitKeys, limitTable } from "../../src/limits.ts";

const resolve = (sources: Partial<LimitSources>) => resolveLimits({ flags: {}, env: {}, file: {}, ...sources });
const parsed = (json: string) => resolve({ file: JSON.parse(json) });

test("with nothing said every limit is built in", () => {
  const { limits, origins, warnings } = resolve({});
  expect(limits).toEqual(Object.fromEntries(limitKeys.map((key) => [key, limitTable[key].default])));
  expect(new Set(Object.values(origins))).toEqual(new Set(["built-in"]));
  expect(warnings).toEqual([]);
});

describe("precedence", () => {
  const layers = {
    flag: { flags: { maxLines: "11" } },
    environment: { env: { TOOLOUT_MAX_LINES: "12" } },
    "profile big": { profile: "big" },
    file: {},
  };
  const values = { flag: 11, environment: 12, "profile big": 13, file: 14 };
  const file = { maxLines: 14, profiles: { big: { maxLines: 13 } } };

  test("a flag beats the environment, that the profile, that the file, that the built-in", () => {
    const origins = Object.keys(layers) as (keyof typeof layers)[];
    origins.forEach((origin, i) => {
      const resolved = resolve(Object.assign({ file }, ...origins.slice(i).map((lower) => layers[lower])));
      expect([resolved.limits.maxLines, resolved.origins.maxLines]).toEqual([values[origin], origin]);
    });
  });

  test("fields that a profile leaves out fall through", () => {
    const { limits, origins } = resolve({ file: { ...file, maxBytes: 5000 }, profile: "big" });
    expect([limits.maxBytes, origins.maxBytes, origins.overflow]).toEqual([5000, "file", "built-in"]);
  });

  test("a profile in the file overrides the built-in one field by field", () => {
    const { limits, origins } = resolve({
      file: { captureBytes: 70_000, profiles: { webfetch: { overflow: "drop" } } },
      profile: "webfetch",
    });
    expect([limits.overflow, limits.captureBytes]).toEqual(["drop", 5 * 1024 * 1024]);
    expect([origins.overflow, origins.captureBytes]).toEqual(["profile webfetch", "profile webfetch"]);
  });

  test("TOOLOUT_PROFILE chooses a profile where none was said, and an empty name chooses none", () => {
    expect(resolve({ env: { TOOLOUT_PROFILE: "deepchat" } }).limits.readChars).toBe(4500);
    expect(resolve({ env: { TOOLOUT_PROFILE: "" } }).limits.readChars).toBeUndefined();
    expect(resolve({ env: { TOOLOUT_PROFILE: "deepchat" }, profile: "" }).limits.readChars).toBeUndefined();
  });

  test("an empty variable counts as unset", () => {
    expect(resolve({ env: { TOOLOUT_MAX_LINES: "" } }).origins.maxLines).toBe("built-in");
  });
});

describe("refusals", () => {
  test("a bad flag is refused by its own name, also an empty one", () => {
    expect(() => resolve({ flags: { runChars: "999" } })).toThrow(/^--max-chars \(runChars\) .* not "999"$/);
    expect(() => resolve({ flags: { maxLines: "" } })).toThrow(/--max-lines.* not ""$/);
  });

  test("a bad variable is refused even where a profile or the file has a good value", () => {
    expect(() => resolve({ env: { TOOLOUT_MAX_LINES: "5OO" }, file: { maxLines: 9 } })).toThrow(
      /TOOLOUT_MAX_LINES \(maxLines\).*5OO/,
    );
  });

  test("an unknown profile is refused with the known ones", () => {
    const file = { profiles: { mine: {} } };
    expect(() => resolve({ profile: "nobody", file })).toThrow(
      '--profile "nobody" is not a profile; there are deepchat, mine, webfetch, websearch',
    );
    expect(() => resolve({ env: { TOOLOUT_PROFILE: "nobody" } })).toThrow(/^TOOLOUT_PROFILE "nobody"/);
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "the prototype lends no profile named %s",
    (profile) => {
      expect(() => resolve({ profile, file: { profiles: {} } })).toThrow("is not a profile");
    },
  );

  test("a profile is not refused when the file that may hold it cannot be read", () => {
    expect(resolve({ profile: "mine", file: undefined }).limits.maxLines).toBe(2000);
  });
});

describe("the file", () => {
  test.each([
    ["0", 1, "maxLines 0 is not in 1 - 1,000,000, using 1"],
    ["-1", 1, "maxLines -1 is not in 1 - 1,000,000, using 1"],
    ["7.5", 8, "maxLines 7.5 is not a whole number, using 8"],
    ["0.4", 1, "maxLines 0.4 is not in 1 - 1,000,000, using 1"],
    ["9e9", 1_000_000, "maxLines 9000000000 is not in 1 - 1,000,000, using 1000000"],
    ["1e999", 1_000_000, "maxLines Infinity is not in 1 - 1,000,000, using 1000000"],
    ["null", 2000, "maxLines null is not a whole number, using 2000"],
    ["true", 2000, "maxLines true is not a whole number, using 2000"],
    ['"lots"', 2000, 'maxLines "lots" is not a whole number, using 2000'],
    ['""', 2000, 'maxLines "" is not a whole number, using 2000'],
    ["{}", 2000, "maxLines {} is not a whole number, using 2000"],
    ["[7]", 2000, "maxLines [7] is not a whole number, using 2000"],
  ])("maxLines %s counts as %d with one warning", (json, lines, warning) => {
    const { limits, warnings } = parsed(`{"maxLines":${json}}`);
    expect(limits.maxLines).toBe(lines);
    expect(warnings).toEqual([`config.json: ${warning}`]);
  });

  test.each([
    ['{"maxLines":1e3}', "maxLines", 1000],
    ['{"maxLines":"1000"}', "maxLines", 1000],
    ['{"maxBytes":"64k"}', "maxBytes", 65_536],
    ['{"retention":"1h30m"}', "retention", 5_400_000],
    ['{"retention":7200000}', "retention", 7_200_000],
    ['{"headPercent":-0}', "headPercent", 0],
    ['{"overflow":"drop"}', "overflow", "drop"],
    ['{"redact":true}', "redact", true],
    ['{"redact":"true"}', "redact", true],
  ] as const)("%s is good", (json, key, value) => {
    const { limits, origins, warnings } = parsed(json);
    expect([limits[key], origins[key], warnings]).toEqual([value, "file", []]);
  });

  test("a text out of range is clamped, a word that is none of the choices is not used", () => {
    const { limits, warnings } = resolve({ file: { maxBytes: "1TiB", overflow: 3 } });
    expect([limits.maxBytes, limits.overflow]).toEqual([64 * 1024 * 1024, "store"]);
    expect(warnings).toEqual([
      'config.json: maxBytes "1TiB" is not in 1KiB - 64MiB, using 64MiB; overflow 3 is not one of store, drop, reject, using store',
    ]);
  });

  test("a bad value in a profile falls through to the value below it", () => {
    const { limits, warnings } = resolve({ file: { maxLines: 9, profiles: { a: { maxLines: "x" } } }, profile: "a" });
    expect(limits.maxLines).toBe(9);
    expect(warnings).toEqual(['config.json: profiles.a.maxLines "x" is not a whole number, using 9']);
  });

  test("only what is used is looked at", () => {
    const file = { maxLines: 0, profiles: { other: { maxBytes: 1 }, a: { maxLines: 10 } } };
    expect(resolve({ file, profile: "a" }).warnings).toEqual([]);
    expect(resolve({ file, flags: { maxLines: "5" } }).warnings).toEqual([]);
  });

  test.each([{ profiles: 7 }, { profiles: { a: [] } }])(
    "a chosen profile that is damaged counts as empty: %j",
    (file) => {
      const { limits, warnings } = resolve({ file: { maxLines: 9, ...file }, profile: "a" });
      expect(limits.maxLines).toBe(9);
      expect(warnings).toHaveLength(1);
    },
  );

  test("an own __proto__ in the file gives no limits", () => {
    expect(parsed('{"__proto__":{"maxLines":5}}').limits.maxLines).toBe(2000);
    expect(({} as { maxLines?: unknown }).maxLines).toBeUndefined();
  });

  test("whatever it holds, every limit is whole and inside its range, and there is at most one warning", () => {
    const layer = fc.dictionary(
      fc.constantFrom(...limitKeys, "__proto__", "other"),
      fc.oneof(fc.jsonValue(), fc.double({ noNaN: true }), fc.integer()),
    );
    fc.assert(
      fc.property(layer, layer, (top, a) => {
        const { limits, warnings } = resolve({ file: { ...top, profiles: { a } }, profile: "a" });
        expect(warnings.length).toBeLessThanOrEqual(1);
        for (const key of limitKeys) expect(isInRange(key, limits[key])).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test("all faults are found, used or not", () => {
    const file = JSON.parse('{"maxLine":1,"maxLines":0,"profiles":{"a":{"maxBytes":1,"x\\u001b":2},"b":3}}');
    expect(fileFaults(file)).toEqual([
      "maxLine is not a limit",
      "maxLines 0 is not in 1 - 1,000,000",
      "profiles.a.maxBytes 1 is not in 1KiB - 64MiB",
      "profiles.a.x\\u001b is not a limit",
      "profiles.b 3 is not an object",
    ]);
    expect(fileFaults({ profiles: [] })).toEqual(["profiles [] is not an object"]);
    expect(fileFaults({ maxLines: 5, profiles: { a: { overflow: "drop" } } })).toEqual([]);
  });
});

function isInRange(key: LimitKey, value: unknown): boolean {
  const { unit, least, most } = limitTable[key];
  if (unit === null) return limitTable[key].words.some((word) => word === value);
  if (value === undefined) return limitTable[key].default === undefined;
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}
