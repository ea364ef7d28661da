import { closeSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ToolResult } from "../../src/fitting/batch.ts";
import type { Environment } from "../../src/io.ts";
import { main } from "../../src/main.ts";
import { namesIn, store, storeIo, temporaryDirectory } from "../store/fixture.ts";

const text = "a line of thirty characters..\n".repeat(400);
const uriPattern = /tool-output:\/\/\w{26}/;

function resultOf(content: string, more: Partial<ToolResult> = {}): ToolResult {
  return { toolCallID: "c1", name: "bash", content, isError: false, resource: null, ...more };
}

async function fitInto(data: string, results: unknown, args: readonly string[], env: Environment = {}) {
  const path = join(temporaryDirectory(), "batch.json");
  writeFileSync(path, JSON.stringify(results));
  const stdin = openSync(path, "r");
  onTestFinished(() => closeSync(stdin));
  const { io, said } = storeIo(data, env);
  const status = await main(["fit", ...args], { ...io, stdin });
  return { status, err: said.err, out: said.out, fitted: said.out === "" ? null : JSON.parse(said.out) };
}

async function read(data: string, uri: string, env: Environment = {}): Promise<string> {
  const { io, said } = storeIo(data, env);
  await main(["read", uri, "--limit", "1MiB"], io);
  return said.out;
}

describe("fit", () => {
  it("writes back what fits as it was, and stores nothing", async () => {
    const data = temporaryDirectory();
    const batch = { id: 7, results: [resultOf(text, { extra: 1 } as object), resultOf("b")] };
    const { status, fitted } = await fitInto(data, batch, ["--budget-chars", `${text.length + 1}`]);
    expect([status, fitted]).toEqual([0, batch]);
    expect(() => namesIn(data)).toThrow();
  });

  it("stores what it cuts, for the session, and the stub leads to every byte", async () => {
    const data = temporaryDirectory();
    const { fitted } = await fitInto(
      data,
      [resultOf(text), resultOf(text)],
      ["--budget-chars", "15000", "--session", "s"],
    );
    expect(fitted[0]).toEqual(resultOf(text));
    const { content, resource } = fitted[1];
    expect(content).toContain(`full content available as ${resource.uri} ...\n... 400 lines (12,000 bytes) in all`);
    expect(resource).toEqual({ uri: resource.uri, mime: "text/plain", name: "bash", size: 12_000 });
    expect(await read(data, resource.uri, { TOOLOUT_SESSION: "s" })).toBe(text);
    expect(await read(data, resource.uri)).toBe("");
    const offset = Number(/--offset (\d+)/.exec(content)?.[1]);
    expect(content.startsWith(`${text.slice(0, offset)}\n... output truncated`)).toBe(true);
  });

  it("refers to what a command stored, whole or in part, and stores no copy of it", async () => {
    const data = temporaryDirectory();
    const { id: _, ...whole } = store(data, text);
    const { id: __, ...part } = store(data, text, { bytes: 99_000, complete: false });
    const before = namesIn(data);
    const results = [resultOf(text, { resource: whole }), resultOf(`$ make\n${text}`, { resource: part })];
    const { fitted, err } = await fitInto(data, results, ["--budget-bytes", "5000"]);
    expect(fitted.map(({ resource }: ToolResult) => resource)).toEqual([whole, part]);
    expect(fitted[0].content).toMatch(new RegExp(`full content available as ${whole.uri} .*\\n.*--offset 1020 `));
    expect(fitted[1].content).toMatch(new RegExp(`12,000 of 99,000 bytes kept as ${part.uri} .*\\n.*--offset 0 `));
    expect([namesIn(data), err]).toEqual([before, ""]);
  });

  it("promises nothing of a resource that cannot be had, and keeps what there is of it", async () => {
    const data = temporaryDirectory();
    const { id: _, ...foreign } = store(data, text, { session: "other" });
    const { id, ...damaged } = store(data, text);
    truncateSync(join(data, "managed", `${id}.txt`), 100);
    const unknown = { ...damaged, uri: `tool-output://${"0".repeat(26)}`, size: 99_000 };
    const notURI = { ...damaged, uri: "last" };
    const resources = [foreign, damaged, unknown, notURI, { ...foreign, uri: "../x" }];
    const before = namesIn(data).length;
    const results = resources.map((resource) => resultOf(text, { resource }));
    const { fitted, err } = await fitInto(data, results, ["--budget-chars", "20000"]);
    for (const [i, { content, resource }] of fitted.entries()) {
      expect(content).not.toContain("full content");
      expect(content).toContain(`of ${i === 2 ? "99,000" : "12,000"} bytes kept as ${resource.uri}`);
      expect(await read(data, resource.uri)).toBe(text);
    }
    expect(namesIn(data).length).toBe(before + 2 * results.length);
    expect(err.match(/^toolout: \[\d\]\.resource cannot be had: /gm)?.length).toBe(5);
  });

  it("gives results up from the last on, with nothing left of what was stored for them", async () => {
    const data = temporaryDirectory();
    const { id: _, ...whole } = store(data, text);
    const results = [resultOf(text), resultOf(text, { resource: whole }), resultOf(text, { toolCallID: "c3" })];
    const { fitted } = await fitInto(data, results, ["--json", "--budget-chars", "2700"]);
    expect(fitted.outcomes).toEqual(["stub", "error", "error"]);
    expect(fitted).toMatchObject({ version: 1, budget: { unit: "characters", limit: 2700 }, before: 36_000 });
    expect(fitted.after).toBeLessThanOrEqual(2700);
    const [stub, referred, lost] = fitted.results;
    expect(referred).toMatchObject({ isError: true, resource: whole });
    expect(referred.content).toBe(
      `Error: result too long for the context (12,000 bytes); full content available as ${whole.uri}; next: toolout read ${whole.uri} --offset 0`,
    );
    expect(lost).toEqual(resultOf(lost.content, { toolCallID: "c3", isError: true }));
    expect(lost.content).not.toMatch(uriPattern);
    expect(namesIn(data).filter((name) => name.endsWith(".txt"))).toEqual(
      [whole.uri, stub.resource.uri].map((uri) => `${uri.slice(14)}.txt`).sort(),
    );
  });

  it("ends with an error when not even errors fit, and stores nothing", async () => {
    const data = temporaryDirectory();
    const { status, out, err } = await fitInto(data, [resultOf(text), resultOf(text)], ["--budget-chars", "29"]);
    expect([status, out]).toEqual([1, ""]);
    expect(err).toBe("toolout: not even errors for 2 results fit 29 characters\n");
    expect(() => namesIn(data)).toThrow();
    const asJson = await fitInto(data, [resultOf(text)], ["--json", "--budget-chars", "1"]);
    expect(asJson.fitted.error.kind).toBe("too-large");
  });

  it("says so when the store refuses", async () => {
    const data = temporaryDirectory();
    rmSync(data, { recursive: true });
    symlinkSync("/dev/null", data);
    const { status, fitted, err } = await fitInto(data, [resultOf(text)], ["--budget-chars", "5000"]);
    expect([status, fitted[0].resource]).toEqual([0, null]);
    expect(fitted[0].content).toContain("... output truncated; 0 of 12,000 bytes kept ...\n");
    expect(err).toMatch(/^toolout: cannot make the directory .*: not a directory\n$/);
  });

  it("stores as much as storeBytes allows, and says how much", async () => {
    const data = temporaryDirectory();
    const env = { TOOLOUT_STORE_BYTES: "64KiB" };
    const { fitted } = await fitInto(data, [resultOf(text.repeat(10))], ["--budget-chars", "5000"], env);
    expect(fitted[0].content).toContain(`65,536 of 120,000 bytes kept as ${fitted[0].resource.uri}`);
    expect(fitted[0].resource.size).toBe(65_536);
  });

  it("stores the bytes that base64 stands for", async () => {
    const data = temporaryDirectory();
    const bytes = Buffer.from(Array.from({ length: 9000 }, (_, i) => i % 256));
    const result = resultOf(bytes.toString("base64"), { encoding: "base64" });
    const { fitted } = await fitInto(data, [result], ["--budget-chars", "1000"]);
    expect(fitted[0]).not.toHaveProperty("encoding");
    expect(fitted[0].resource).toMatchObject({ mime: "application/octet-stream", size: 9000 });
  });

  it("masks secrets in what it stores and shows of it", async () => {
    const data = temporaryDirectory();
    const secret = `password=${"Ab1".repeat(8)}\n`;
    const env = { TOOLOUT_REDACT: "1" };
    const { fitted } = await fitInto(data, [resultOf(secret + text)], ["--budget-chars", "5000"], env);
    expect(fitted[0].content).toContain("[redacted: ");
    expect(await read(data, fitted[0].resource.uri)).not.toContain("Ab1Ab1");
  });

  it("refuses a batch that it cannot take, with one line", async () => {
    const { status, err } = await fitInto(temporaryDirectory(), [{ name: "n" }], ["--budget-chars", "5"]);
    expect([status, err]).toEqual([2, "toolout: [0].toolCallID must be a string, not undefined\n"]);
  });
});
