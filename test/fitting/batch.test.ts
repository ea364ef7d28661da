import { describe, expect, it } from "vitest";
import { parseBatch } from "../../src/fitting/batch.ts";
import { parseBudget } from "../../src/fitting/budget.ts";
import { failureOf } from "../store/fixture.ts";

const sound = { toolCallID: "c", name: "bash", content: "x" };
const uri = "tool-output://ID";

function messageOf(value: unknown): string {
  const failure = failureOf(() => parseBatch(Buffer.from(typeof value === "string" ? value : JSON.stringify(value))));
  expect(failure.kind).toBe("usage");
  return failure.message;
}

describe("parseBatch", () => {
  it("takes an array or an object, and gives the same shape back with what it does not know", () => {
    const result = { ...sound, isError: true, resource: null, extra: [1] };
    for (const value of [[], [result], { results: [result], more: { a: 1 } }]) {
      const { results, shape } = parseBatch(Buffer.from(JSON.stringify(value)));
      expect(shape(results)).toEqual(value);
    }
  });

  it("has U+FFFD in place of half a surrogate pair", () => {
    const { results } = parseBatch(Buffer.from('[{"toolCallID":"c","name":"n","content":"a\\ud83d\\ude00\\ud83d"}]'));
    expect(results[0]?.content).toBe("a\u{1f600}\ufffd");
  });

  it.each([
    [[{ ...sound, content: 17 }], "[0].content must be a string, not 17"],
    [[sound, { ...sound, toolCallID: undefined }], "[1].toolCallID must be a string, not undefined"],
    [{ results: [{ ...sound, name: null }] }, "results[0].name must be a string, not null"],
    [[{ ...sound, isError: "no" }], '[0].isError must be true or false, not "no"'],
    [[{ ...sound, encoding: "hex" }], '[0].encoding must be "base64" where it is given, not "hex"'],
    [[{ ...sound, resource: uri }], `[0].resource must be null or an object, not "${uri}"`],
    [
      [{ ...sound, resource: { uri, mime: "", name: "" } }],
      "[0].resource.size must be a number of bytes, not undefined",
    ],
    [[[]], "[0] must be an object, not []"],
    [{ result: [] }, 'stdin must be an array of results, or an object with "results", not results undefined'],
    ["7", 'stdin must be an array of results, or an object with "results", not 7'],
  ])("refuses %j", (value, message) => {
    expect(messageOf(value)).toBe(message);
  });

  it("refuses what is no JSON, and no UTF-8", () => {
    expect(messageOf("[")).toMatch(/^stdin is no JSON: /);
    expect(failureOf(() => parseBatch(Buffer.from([0x22, 0xff, 0x22]))).message).toBe("stdin is not UTF-8");
  });
});

describe("parseBudget", () => {
  it("takes one of the two", () => {
    expect(parseBudget("60000", undefined)).toEqual({ unit: "characters", limit: 60_000 });
    expect(parseBudget(undefined, "64k")).toEqual({ unit: "bytes", limit: 65_536 });
  });

  it.each([
    ["0", undefined, '--budget-chars must be a whole number in 1 - 1,073,741,824, not "0"'],
    ["64k", undefined, '--budget-chars must be a whole number in 1 - 1,073,741,824, not "64k"'],
    [undefined, "2GiB", '--budget-bytes must be a size such as 50KiB in 1 - 1GiB, not "2GiB"'],
    ["1", "1", "--budget-chars and --budget-bytes exclude each other"],
    [undefined, undefined, "no budget is given"],
  ])("refuses %s, %s", (chars, bytes, message) => {
    expect(failureOf(() => parseBudget(chars, bytes)).message).toBe(message);
  });
});
