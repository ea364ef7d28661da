import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually, isRunning, program, Sandbox, seq, uriPattern } from "./sandbox.ts";

interface Told {
  readonly content: ReadonlyArray<{ type: string; text?: string; uri?: string; resource?: { blob: string } }>;
  readonly isError?: boolean;
  readonly _meta?: Record<string, Record<string, unknown>>;
}

/** The SDK's own client, with a server in the sandbox. */
async function connect(sandbox: Sandbox, args: readonly string[] = []) {
  const client = new Client({ name: "test", version: "1" });
  const options = { command: process.execPath, args: [program, "mcp", ...args], env: sandbox.env, cwd: sandbox.work };
  await client.connect(new StdioClientTransport({ ...options, stderr: "pipe" }));
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })) as unknown as Told;
  return { client, call };
}

function textOf({ content }: Told): string {
  return content.map(({ text = "" }) => text).join("");
}

/** A second client, of the specification alone: one JSON-RPC message a line. */
class LineClient {
  readonly child: ChildProcess;
  readonly exited: Promise<number | NodeJS.Signals | null>;
  readonly messages: Array<{ id?: number; result?: Record<string, unknown>; error?: { code: number } }> = [];
  readonly #send: (line: string) => void;
  #id = 0;

  constructor(sandbox: Sandbox, args: readonly string[] = []) {
    const child = spawn(process.execPath, [program, "mcp", ...args], {
      cwd: sandbox.work,
      env: sandbox.env,
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    child.stdin.on("error", () => {});
    createInterface({ input: child.stdout }).on("line", (line) => this.messages.push(JSON.parse(line)));
    this.exited = new Promise((resolve) => child.on("close", (status, signal) => resolve(signal ?? status)));
    this.#send = (line) => child.stdin.write(line);
    this.child = child;
  }

  static async initialized(sandbox: Sandbox): Promise<LineClient> {
    const client = new LineClient(sandbox);
    const clientInfo = { name: "lines", version: "1" };
    const id = client.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    expect((await client.answer(id)).result).toMatchObject({ protocolVersion: "2025-06-18" });
    client.tell("notifications/initialized");
    return client;
  }

  raw(line: string): void {
    this.#send(`${line}\n`);
  }

  tell(method: string, params?: object): void {
    this.raw(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  ask(method: string, params?: object): number {
    this.#id += 1;
    this.raw(JSON.stringify({ jsonrpc: "2.0", id: this.#id, method, params }));
    return this.#id;
  }

  answer(id: number) {
    return eventually(() => this.messages.find((message) => message.id === id));
  }
}

describe("with the SDK's client", () => {
  it("introduces itself, its tools and its resources", async () => {
    const { client } = await connect(new Sandbox());
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(client.getServerVersion()).toEqual({ name: "toolout", version });
    expect(client.getInstructions()).toContain("toolout read URI --offset N");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["run", "read", "grep", "list"]);
    expect((await client.listResourceTemplates()).resourceTemplates[0]?.uriTemplate).toBe("tool-output://{id}");
    expect((await client.listResources()).resources).toEqual([]);
  });

  it("runs a small command whole, from a line or from words, with stdin or none", async () => {
    const sandbox = new Sandbox();
    const { call } = await connect(sandbox);
    const told = await call("run", { command: "cat; echo out; echo err >&2; exit 3" });
    expect(told.content).toEqual([{ type: "text", text: "out\nstderr:\nerr\nCommand exited with code 3.\n" }]);
    expect(told.isError).toBeUndefined();
    expect(told._meta?.["toolout/run"]).toMatchObject({ exitCode: 3, outputs: { stdout: { bytes: 4 } } });
    expect(textOf(await call("run", { argv: ["printf", "%s", "a  $b"] }))).toBe("a  $b\nCommand exited with code 0.\n");
    expect(textOf(await call("run", { argv: ["cat"], stdin: "given" }))).toBe("given\nCommand exited with code 0.\n");
    expect(sandbox.list(sandbox.managed)).toEqual([]);
  });

  it("bounds a huge output, links it, and gives all of it page by page", async () => {
    const { client, call } = await connect(new Sandbox());
    const told = await call("run", { command: "seq 100000" });
    const text = textOf(told);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(51_200);
    const uri = uriPattern.exec(text)?.[0] ?? "";
    expect(told.content[1]).toMatchObject({ type: "resource_link", uri, name: "stdout", size: 588_895 });
    let whole = "";
    for (let offset: unknown = 0; offset !== null; ) {
      const page = await call("read", { uri, offset });
      const next = page._meta?.["toolout/page"]?.["next"] ?? null;
      if (next !== null) expect(page.content[1]?.text).toContain(`next: toolout read ${uri} --offset ${next}`);
      expect(Buffer.byteLength(textOf(page))).toBeLessThanOrEqual(51_200);
      whole += page.content[0]?.text ?? "";
      offset = next;
    }
    expect(whole).toBe(seq(100_000));
    const { contents } = await client.readResource({ uri });
    expect(seq(100_000).startsWith((contents[0] as { text: string }).text)).toBe(true);
    expect(contents[1]).toMatchObject({ text: expect.stringContaining("--offset") });
    expect((await client.listResources()).resources).toMatchObject([{ uri, size: 588_895, mimeType: "text/plain" }]);
    expect(textOf(await call("grep", { uri, pattern: "^9999$" }))).toBe("9999:48883:9999\n");
    expect(textOf(await call("grep", { uri, pattern: "x" }))).toBe("toolout: no line matches\n");
    expect(textOf(await call("list", {}))).toContain(uri);
    expect(textOf(await call("read", { uri: "last", tail: 1 }))).toBe("100000\n");
    expect(textOf(await call("read", { uri, offset: 600_000 }))).toContain("the output ends before");
  });

  it("gives what is no text as it is", async () => {
    const { client, call } = await connect(new Sandbox());
    const bytes = Buffer.alloc(60_000, 0xfe);
    const told = await call("run", { argv: ["head", "-c", "60000", "/dev/zero"] });
    expect(told.content[0]?.text?.length).toBeLessThanOrEqual(51_200);
    const other = await call("run", { command: "head -c 60000 /dev/zero | tr '\\0' '\\376'" });
    expect(Buffer.byteLength(other.content[0]?.text ?? "")).toBeLessThanOrEqual(51_200);
    const page = await call("read", { uri: "last" });
    const blob = Buffer.from(page.content[0]?.resource?.blob ?? "", "base64");
    expect(bytes.subarray(0, blob.length).equals(blob) && blob.length > 10_000).toBe(true);
    const { contents } = await client.readResource({ uri: other.content[1]?.uri ?? "" });
    expect(contents[0]).toMatchObject({ blob: blob.toString("base64") });
  });

  it.each([
    ["run", {}, /run needs command .* or argv/],
    ["run", { command: "true", argv: ["true"] }, /exclude each other/],
    ["run", { command: ["true"] }, /command must be a string, not \["true"\]/],
    ["run", { argv: [] }, /argv must be an array of one or more strings, not \[\]/],
    ["run", { command: "true", timeout: "10" }, /timeout must be a number with a unit.* not "10"/],
    ["run", { command: "true", maxLine: 10 }, /no argument "maxLine"; did you mean maxLines\?/],
    ["run", { command: "true", maxLines: 0 }, /maxLines must be a whole number in 1 - 1,000,000, not 0/],
    ["run", { command: "true", directory: "/no/such" }, /\/no\/such/],
    ["run", { argv: ["no-such-program-xyz"] }, /no-such-program-xyz/],
    ["read", {}, /read needs uri/],
    ["read", { uri: "tool-output://000000000000aaaaaaaaaaaaaa" }, /no stored output/],
    ["read", { uri: "/etc/passwd" }, /not a stored output/],
    ["read", { uri: "last", offset: -1 }, /offset must be a whole number of 0 or more, not -1/],
    ["grep", { uri: "last", pattern: "(" }, /\(/],
    ["list", { since: "yesterday" }, /since must be a duration/],
  ] as const)("refuses %s %j in one line and goes on", async (name, args, message) => {
    const { client, call } = await connect(new Sandbox());
    const told = await call(name, args);
    expect(told).toMatchObject({ isError: true, content: [{ type: "text" }], _meta: { "toolout/error": {} } });
    expect(textOf(told)).toMatch(message);
    expect(textOf(told)).not.toContain("\n");
    await client.ping();
  });

  it("takes null for nothing and a number as text", async () => {
    const { call } = await connect(new Sandbox());
    const told = await call("run", { command: "seq 100", argv: null, maxLines: "20" });
    expect(textOf(told).split("\n").length).toBeLessThanOrEqual(21);
  });

  it("keeps sessions apart", async () => {
    const sandbox = new Sandbox();
    const [mine, yours] = [await connect(sandbox, ["--session", "mine"]), await connect(sandbox)];
    const uri = uriPattern.exec(textOf(await mine.call("run", { command: "seq 3000" })))?.[0] ?? "";
    expect((await yours.call("read", { uri }))._meta).toEqual({ "toolout/error": { kind: "access-denied" } });
    await expect(yours.client.readResource({ uri })).rejects.toMatchObject({ data: { kind: "access-denied" } });
    await expect(yours.client.readResource({ uri: "tool-output://000000000000aaaaaaaaaaaaaa" })).rejects.toMatchObject({
      code: -32_002,
    });
    expect((await yours.client.listResources()).resources).toEqual([]);
    const page = textOf(await mine.call("read", { uri }));
    expect(page.startsWith("1\n2\n") && !page.includes("mine")).toBe(true);
  });

  it("follows config.json from one call to the next", async () => {
    const sandbox = new Sandbox();
    const { call } = await connect(sandbox);
    expect(textOf(await call("run", { command: "seq 100" }))).not.toMatch(uriPattern);
    await sandbox.run(["config", "set", "maxLines", "20"]);
    expect(textOf(await call("run", { command: "seq 100" }))).toMatch(uriPattern);
  });

  it("keeps twenty calls at once apart", async () => {
    const { call } = await connect(new Sandbox());
    const told = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        call("run", { command: `yes ${i} | head -n 3000; echo ${i} >&2; exit ${i}` }),
      ),
    );
    for (const [i, one] of told.entries()) {
      const lines = textOf(one).split("\n");
      expect(lines.filter((line) => /^\d+$/.test(line)).every((line) => line === `${i}`)).toBe(true);
      expect(lines.at(-2)).toBe(`Command exited with code ${i}.`);
    }
    expect(new Set(told.map((one) => one.content[1]?.uri)).size).toBe(20);
  });
});

describe("with a client of the specification alone", () => {
  /** A command that starts another, which writes down its number. */
  const family = "sleep 1000 & echo $! > pid; wait";

  async function grandchild(sandbox: Sandbox): Promise<number> {
    const path = join(sandbox.work, "pid");
    return Number(await eventually(() => existsSync(path) && readFileSync(path, "utf8").trim()));
  }

  function startFamily(client: LineClient): number {
    return client.ask("tools/call", { name: "run", arguments: { command: family } });
  }

  it("ends all that a call started when it is cancelled, and goes on", async () => {
    const sandbox = new Sandbox();
    const client = await LineClient.initialized(sandbox);
    const id = startFamily(client);
    const pid = await grandchild(sandbox);
    client.tell("notifications/cancelled", { requestId: id, reason: "enough" });
    await eventually(() => !isRunning(pid));
    expect((await client.answer(client.ask("ping"))).result).toEqual({});
  });

  it.each(["end", "SIGTERM", "SIGINT"] as const)("ends with all that it runs on %s", async (how) => {
    const sandbox = new Sandbox();
    const client = await LineClient.initialized(sandbox);
    startFamily(client);
    const pid = await grandchild(sandbox);
    if (how === "end") client.child.stdin?.end();
    else client.child.kill(how);
    expect(await client.exited).toBe(how === "end" ? 0 : how);
    expect(isRunning(pid)).toBe(false);
  });

  it("answers what came before the end of its input", async () => {
    const sandbox = new Sandbox();
    const client = await LineClient.initialized(sandbox);
    const id = client.ask("tools/call", { name: "list", arguments: {} });
    client.child.stdin?.end();
    expect(await client.exited).toBe(0);
    expect(client.messages.find((message) => message.id === id)?.result).toMatchObject({
      content: [{ text: "toolout: no stored output of this session\n" }],
    });
  });

  it("lives on after what is no request, no method and no tool", async () => {
    const client = await LineClient.initialized(new Sandbox());
    client.raw("{ this is no JSON");
    client.raw('{"jsonrpc":"2.0"}');
    expect((await client.answer(client.ask("no/such"))).error?.code).toBe(-32_601);
    expect((await client.answer(client.ask("tools/call", { name: "rm" }))).error?.code).toBe(-32_602);
    expect((await client.answer(client.ask("tools/call", { name: 1 }))).error?.code).toBeDefined();
    expect((await client.answer(client.ask("ping"))).result).toEqual({});
  });

  it("refuses a profile that there is not before it serves", async () => {
    const { status, stderr, stdout } = await new Sandbox().run(["mcp", "--profile", "nobody"]);
    expect([status, stdout.toString()]).toEqual([2, ""]);
    expect(stderr).toContain('--profile "nobody" is not a profile');
  });
});
