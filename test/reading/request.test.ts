import { describe, expect, it } from "vitest";
import { type PageRequest, planPage } from "../../src/reading/request.ts";

describe("planPage", () => {
  it("understands what was given", () => {
    expect(planPage({})).toEqual({});
    expect(planPage({ offset: "0", limit: "4k", lines: "9" })).toEqual({ offset: 0, limitBytes: 4096, lines: 9 });
    expect(planPage({ line: "7", lines: "9" })).toEqual({ line: 7, lines: 9 });
    expect(planPage({ tail: "1" })).toEqual({ tail: 1 });
    expect(planPage({ lines: "3:7" })).toEqual({ line: 3, lines: 5 });
    expect(planPage({ lines: "3:3" })).toEqual({ line: 3, lines: 1 });
    expect(planPage({ lines: "3:" })).toEqual({ line: 3 });
    expect(planPage({ lines: ":7" })).toEqual({ line: 1, lines: 7 });
  });

  const bad = ["-1", "1.5", "abc", "", " 1", "1e3", "0x10", "9007199254740992"];
  const options: Array<[keyof PageRequest, string[]]> = [
    ["offset", bad],
    ["line", ["0", ...bad]],
    ["lines", ["0", ":", "0:3", "3:2", "1:x", "1:2:3", ...bad]],
    ["tail", ["0", ...bad]],
    ["limit", ["0", "1023", "65MiB", ...bad]],
  ];
  for (const [option, values] of options) {
    it.each(values)(`refuses --${option} %j, naming both`, (value) => {
      const failure = expect.objectContaining({ kind: "usage", message: expect.stringContaining(`--${option}`) });
      expect(() => planPage({ [option]: value })).toThrow(failure);
      expect(() => planPage({ [option]: value })).toThrow(JSON.stringify(value));
    });
  }

  it.each([
    ["offset", "line"],
    ["offset", "tail"],
    ["line", "tail"],
    ["lines", "tail"],
  ])("refuses --%s with --%s", (one, other) => {
    expect(() => planPage({ [one]: "1", [other]: "1" })).toThrow(`--${one} and --${other} exclude each other`);
  });
});
