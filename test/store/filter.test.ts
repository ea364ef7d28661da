import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFilter } from "../../src/store/filter.ts";

const nowMs = Date.parse("2026-03-10T12:00:00Z");

describe("--since", () => {
  it.each([
    { since: "2h", fromMs: nowMs - 7_200_000 },
    { since: "2026-03-10T08:30Z", fromMs: Date.parse("2026-03-10T08:30:00Z") },
    { since: "2026-03-09", fromMs: new Date(2026, 2, 9).getTime() },
    { since: "2026-03-09T10:00", fromMs: new Date(2026, 2, 9, 10).getTime() },
  ])("$since takes what was made then or later", ({ since, fromMs }) => {
    const isMeant = parseFilter({ since }, nowMs);
    expect(isMeant({ created: fromMs, name: "" })).toBe(true);
    expect(isMeant({ created: fromMs - 1, name: "" })).toBe(false);
  });

  it.each(["", "yesterday", "2h ago", "2026", "2026-13-01", "2026-02-01T25:00", "-1h"])("refuses %j", (since) => {
    const failure = { kind: "usage", message: expect.stringContaining(JSON.stringify(since)) };
    expect(() => parseFilter({ since }, nowMs)).toThrow(expect.objectContaining(failure));
  });
});

describe("--name", () => {
  it.each([
    { named: "build", yes: ["build"], no: ["builds", "a build", ""] },
    { named: "build*", yes: ["build", "build 2"], no: ["rebuild"] },
    { named: "*.log", yes: [".log", "a.log"], no: ["alog", "a.log2"] },
    { named: "a*b*a", yes: ["aba", "axxbxa"], no: ["aa", "ab", "ba"] },
    { named: "ab*ba", yes: ["abba"], no: ["aba"] },
    { named: "", yes: [""], no: ["x"] },
    { named: "*", yes: ["", "x"], no: [] },
  ])("$named", ({ named, yes, no }) => {
    const isMeant = parseFilter({ named }, nowMs);
    for (const name of yes) expect(isMeant({ created: 0, name }), name).toBe(true);
    for (const name of no) expect(isMeant({ created: 0, name }), name).toBe(false);
  });

  it("is what a regular expression of the same meaning says", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
    fc.assert(
      fc.property(text, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 10 }), (named, name) => {
        const expected = new RegExp(`^${named.replaceAll("*", ".*")}$`).test(name);
        expect(parseFilter({ named }, nowMs)({ created: 0, name })).toBe(expected);
      }),
    );
  });
});
