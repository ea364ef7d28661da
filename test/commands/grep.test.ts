import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GrepRequest, grep } from "../../src/commands/grep.ts";
import { type LimitKey, type Limits, limitKeys, limitTable } from "../../src/limits.ts";
import { memoryIo } from "./memory-io.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "toolout-grep-"));
});
afterAll(() => rmSync(root, { recursive: true }));

const defaults = Object.fromEntries(
  limitKeys.map((key: LimitKey) => [key, limitTable[key].default]),
) as unknown as Limits;
const numbers = Array.from({ length: 9000 }, (_, i) => `${i + 1}\n`).join("");

function file(content: string, name = "file"): string {
  writeFileSync(join(root, name), content);
  return join(root, name);
}

async function run(request: GrepRequest, limits: Partial<Limits> = {}) {
  const { io, written } = memoryIo({ TOOLOUT_DATA_DIR: root });
  const status = await grep(request, { ...defaults, ...limits }, io);
  return { status, out: String(written.out), err: String(written.err) };
}

describe("grep", () => {
  it("prints line, byte and text", async () => {
    const target = file("one\ntwo €\nthree\n");
    expect(await run({ pattern: "^t", target })).toEqual({ status: 0, out: "2:4:two €\n3:12:three\n", err: "" });
    expect(await run({ pattern: "T", target, ignoreCase: true })).toMatchObject({ out: "2:4:two €\n3:12:three\n" });
    expect(await run({ pattern: ".", target, fixed: true })).toEqual({ status: 1, out: "", err: "" });
  });

  it("prints lines around a match, marked as such, with a line between groups", async () => {
    const target = file("1\n2 x\n3\n4\n5\n6\n7 x\n");
    const { out } = await run({ pattern: "x", target, context: "1" });
    expect(out).toBe("1-0-1\n2:2:2 x\n3-6-3\n--\n6-12-6\n7:14:7 x\n");
  });

  it("stops after so many matches", async () => {
    const target = file(numbers);
    expect(await run({ pattern: "5", target, maxCount: "2" })).toEqual({
      status: 0,
      out: "5:8:5\n15:33:15\n",
      err: "",
    });
    const { out } = await run({ pattern: "5", target, maxCount: "1", json: true });
    expect(JSON.parse(out)).toMatchObject({ total: 1, truncated: false });
  });

  it("counts what it does not show, and says where that begins", async () => {
    const target = file(numbers);
    const { out, err } = await run({ pattern: "", target });
    const lines = out.split("\n").length - 1;
    expect(lines).toBe(1999);
    expect(err).toBe(
      `toolout: 1,999 of 9,000 matching lines shown; next: toolout grep --offset ${numbers.indexOf("2000\n")} '' ${target}\n`,
    );
  });

  it("is led on by its notes to every line that matches, each once", async () => {
    const target = file(numbers);
    const options = { ignoreCase: true, word: true, inverted: true, maxCount: "5000" };
    let shown = "";
    let pages = 0;
    for (let offset = "0", maxCount = "5000"; offset !== ""; pages += 1) {
      const { out, err } = await run({ pattern: "-it's 7", target, ...options, maxCount, offset });
      shown += out;
      [, maxCount = "", offset = ""] =
        /next: toolout grep -iwv -m (\d+) --offset (\d+) -- '-it'\\''s 7' /.exec(err) ?? [];
    }
    const all = await run({ pattern: "-it's 7", target, ...options }, { maxLines: 10_000, maxBytes: 1_000_000 });
    expect([shown, pages]).toEqual([all.out, 3]);
    expect(all.out.split("\n")).toHaveLength(5001);
  });

  it("takes whole words, in any script", async () => {
    const target = file("a cat\nconcat\ncat_x\n(cat)\nécat\ncat\n");
    const found = async (request: Partial<GrepRequest>) =>
      (await run({ pattern: "cat", target, ...request })).out.match(/(?<=:)[^:\n]+$/gm);
    expect(await found({ word: true })).toEqual(["a cat", "(cat)", "cat"]);
    expect(await found({ word: true, pattern: "c.t|b" })).toEqual(["a cat", "(cat)", "cat"]);
    expect(await found({ word: true, fixed: true, pattern: "(cat)" })).toEqual(["(cat)"]);
    expect(await found({ word: true, inverted: true })).toEqual(["concat", "cat_x", "écat"]);
  });

  it("cuts a long line around the word, not around a part of another", async () => {
    const target = file(`needles${"x".repeat(5000)} needle ${"y".repeat(5000)}\n`);
    const { out } = await run({ pattern: "needle", target, word: true }, { lineChars: 100 });
    expect(out).toMatch(/^1:0:…x+ needle y+…\n$/);
  });

  it("prints only how many match", async () => {
    const target = file(numbers);
    expect(await run({ pattern: "5$", target, count: true })).toEqual({ status: 0, out: "900\n", err: "" });
    expect(await run({ pattern: "5$", target, count: true, inverted: true })).toMatchObject({ out: "8100\n" });
    expect(await run({ pattern: "x", target, count: true })).toEqual({ status: 1, out: "0\n", err: "" });
    const { out } = await run({ pattern: "5$", target, count: true, json: true });
    expect(JSON.parse(out)).toEqual({ version: 1, total: 900 });
  });

  it("prints so many lines before a match and so many after it", async () => {
    const target = file("1\n2\n3 x\n4\n5\n6\n");
    const numbersOf = async (request: Partial<GrepRequest>) =>
      (await run({ pattern: "x", target, ...request })).out.match(/^\d+/gm)?.join();
    expect(await numbersOf({ before: "1" })).toBe("2,3");
    expect(await numbersOf({ after: "2" })).toBe("3,4,5");
    expect(await numbersOf({ context: "1", after: "3" })).toBe("2,3,4,5,6");
    expect(await numbersOf({ context: "1", before: "0" })).toBe("3,4");
  });

  it("shows as many as just fit without a note", async () => {
    const target = file("x\n".repeat(2000));
    const { out, err } = await run({ pattern: "x", target });
    expect([out.split("\n").length - 1, err]).toEqual([2000, ""]);
  });

  it("stays inside the limits whatever it finds", async () => {
    const lines = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "€", "\x1b", '"', "🌑"), maxLength: 300 }), {
      maxLength: 30,
    });
    const limits = fc.record({
      maxBytes: fc.integer({ min: 1024, max: 3000 }),
      maxLines: fc.integer({ min: 2, max: 20 }),
      lineChars: fc.integer({ min: 80, max: 500 }),
    });
    await fc.assert(
      fc.asyncProperty(lines, fc.nat({ max: 2 }), fc.boolean(), limits, async (texts, context, json, bounds) => {
        const target = file(texts.join("\n"), "any");
        const { status, out, err } = await run({ pattern: "b", target, context: String(context), json }, bounds);
        const all = out + err;
        expect(Buffer.byteLength(all)).toBeLessThanOrEqual(bounds.maxBytes);
        expect(all.split("\n").length - 1).toBeLessThanOrEqual(bounds.maxLines);
        const total = texts.filter((text) => text.includes("b")).length;
        expect(status).toBe(total > 0 ? 0 : 1);
        if (json) {
          const { matches, ...rest } = JSON.parse(out);
          expect(rest).toEqual({ version: 1, total, truncated: matches.length < total });
          expect(matches.length > 0 || total === 0).toBe(true);
        } else if (err !== "") expect(err).toContain(` of ${total} matching lines shown; `);
        else expect(out.match(/^\d+:/gm)?.length ?? 0).toBe(total);
      }),
      { numRuns: 500 },
    );
  });

  it("cuts a long line around the match", async () => {
    const target = file(`${"x".repeat(5000)}needle${"y".repeat(5000)}\n`);
    const { out } = await run({ pattern: "needle", target }, { lineChars: 100 });
    expect(out).toMatch(/^1:0:…x+needley+…\n$/);
    expect(out.length).toBe("1:0:\n".length + 100);
    expect((await run({ pattern: "n(e)+dle", target }, { lineChars: 100 })).out).toBe(out);
  });

  it("finds the end of an endless line", async () => {
    const target = file(`${"x".repeat(5_000_000)}needle`);
    expect((await run({ pattern: "needle$", target })).out).toMatch(/^1:0:…x{1991,}needle\n$/);
  });

  it("ends on a hostile pattern", async () => {
    const target = file(`${"a".repeat(1_000_000)}\n`);
    expect((await run({ pattern: "(a+)+$", target }, { lineChars: 80 })).out).toBe(`1:0:${"a".repeat(78)}…\n`);
    expect((await run({ pattern: "(a+)+b", target })).status).toBe(1);
  });

  it("is one document with --json", async () => {
    const target = file("one\ntwo\n");
    const { status, out, err } = await run({ pattern: "t", target, json: true });
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(JSON.parse(out)).toEqual({
      version: 1,
      matches: [{ line: 2, offset: 4, text: "two" }],
      total: 1,
      truncated: false,
    });
    const none = await run({ pattern: "six", target, json: true });
    expect([none.status, JSON.parse(none.out)]).toEqual([1, { version: 1, matches: [], total: 0, truncated: false }]);
  });

  it.each([
    { name: "a bad pattern", request: { pattern: "(" }, kind: "usage" },
    { name: "a bad context", request: { pattern: "a", context: "-1" }, kind: "usage" },
    { name: "a bad offset", request: { pattern: "a", offset: "1k" }, kind: "usage" },
    { name: "a count of none", request: { pattern: "a", maxCount: "0" }, kind: "usage" },
    { name: "a malformed URI", request: { pattern: "a", target: "tool-output://x" }, kind: "invalid-uri" },
    { name: "no file", request: { pattern: "a", target: "/none/such" }, kind: "not-found" },
    { name: "a directory", request: { pattern: "a", target: "/" }, kind: "usage" },
    { name: "a device", request: { pattern: "a", target: "/dev/null" }, kind: "io" },
  ])("refuses $name", async ({ request, kind }) => {
    await expect(run({ target: file("a\n"), ...request })).rejects.toThrow(expect.objectContaining({ kind }));
  });
});
