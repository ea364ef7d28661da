import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ConfigKey, parseConfig, parseConfigKey, withoutValue, withValue } from "../../src/config/values.ts";
import { limitKeys } from "../../src/limits.ts";

const anyKey: fc.Arbitrary<ConfigKey> = fc.record({
  profile: fc.constantFrom(undefined, "a", "constructor", "toString", "b-2"),
  limit: fc.constantFrom(...limitKeys),
});

describe("keys", () => {
  test("a limit is named at the top level or in a profile", () => {
    expect(parseConfigKey("maxLines")).toEqual({ profile: undefined, limit: "maxLines" });
    expect(parseConfigKey("profiles.reviewer-2.runChars")).toEqual({ profile: "reviewer-2", limit: "runChars" });
  });

  test.each([
    "",
    "maxline",
    "profiles",
    "profiles.a",
    "profiles.a.b",
    "profiles.a.maxLines.x",
    "other.a.maxLines",
    "__proto__",
    "constructor",
    "__proto__.a.maxLines",
    "profiles.a.__proto__",
  ])("%j is refused with the limits there are", (text) => {
    expect(() => parseConfigKey(text)).toThrow(
      expect.objectContaining({ kind: "usage", hint: expect.stringContaining("maxLines, maxBytes") }),
    );
  });

  test("a mistyped limit is answered with the one it is near to", () => {
    expect(() => parseConfigKey("profiles.a.max-line")).toThrow(
      '"profiles.a.max-line" is not a limit; did you mean maxLines?',
    );
  });

  test.each(["__proto__", "", "-a", "_a", "a b", "a/b", "ü", "a\n"])("the profile name %j is refused", (name) => {
    expect(() => parseConfigKey(`profiles.${name}.maxLines`)).toThrow(/^profile name .* must be letters, digits/);
  });
});

describe("values", () => {
  test("setting keeps everything else, also what is not known", () => {
    const values = JSON.parse('{"other":{"x":[1]},"__proto__":{"y":1},"profiles":{"a":{"z":2}}}');
    const changed = withValue(values, { profile: "a", limit: "maxLines" }, 9);
    expect(JSON.stringify(changed)).toBe(
      '{"other":{"x":[1]},"__proto__":{"y":1},"profiles":{"a":{"z":2,"maxLines":9}}}',
    );
    expect(JSON.stringify(withoutValue(changed, { profile: "a", limit: "maxLines" }))).toBe(JSON.stringify(values));
  });

  test("removing what was set gives the file back, for any key, and touches no prototype", () => {
    const clean = Object.getOwnPropertyNames(Object.prototype).length;
    fc.assert(
      fc.property(fc.uniqueArray(anyKey, { selector: ({ profile, limit }) => `${profile}.${limit}` }), (keys) => {
        const start = { other: 1 };
        const full = keys.reduce((values, key, i) => withValue(values, key, i), start as Record<string, unknown>);
        expect(keys.reduce((values, key) => withoutValue(values, key) as Record<string, unknown>, full)).toEqual(start);
      }),
      { numRuns: 2000 },
    );
    expect(Object.getOwnPropertyNames(Object.prototype).length).toBe(clean);
  });

  test("removing what is not there gives the very same values", () => {
    for (const values of [{}, { profiles: 7 }, { profiles: { a: 1 } }, { profiles: { a: {} } }]) {
      expect(withoutValue(values, { profile: "a", limit: "maxLines" })).toBe(values);
      expect(withoutValue(values, { profile: undefined, limit: "maxLines" })).toBe(values);
    }
  });

  test.each([{ profiles: 7 }, { profiles: { a: [1] } }, { profiles: null }])(
    "a profile is not written over %j",
    (values) => {
      expect(() => withValue(values, { profile: "a", limit: "maxLines" }, 9)).toThrow("not an object");
    },
  );
});

test("a text that is not a JSON object is a problem of one line", () => {
  for (const text of ["", "{bad\n", "[1]", "null", "7", '{"a":1}\n\u001b[31m}']) {
    const parsed = parseConfig(text);
    expect(parsed).toEqual({ problem: expect.stringMatching(/^is not [\P{Cc}]+$/u) });
  }
});
