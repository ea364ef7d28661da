import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Sandbox, seq, uriPattern } from "./sandbox.ts";

describe("an output inside the limits", () => {
  it.each(["", "\n", "a\nb", "a\0b\nc", "\r\n", seq(2000), "x".repeat(51_200)])(
    "passes and leaves nothing behind (%#)",
    async (text) => {
      const sandbox = new Sandbox();
      const piped = await sandbox.run(["pipe"], { input: text });
      const ran = await sandbox.run(["run", "--", "cat"], { input: text });
      for (const ended of [piped, ran]) {
        expect(ended).toMatchObject({ status: 0, stderr: "" });
        expect(ended.stdout.toString("latin1")).toBe(text);
      }
      for (const name of ["home", "data", "config", "tmp"])
        expect(sandbox.list(join(sandbox.directory, name))).toEqual([]);
    },
  );
});

describe("an output over the limits", () => {
  it.each(["run", "pipe"])("shows both ends and the marker, to the byte, in %s", async (way) => {
    const sandbox = new Sandbox();
    const args = way === "run" ? ["run", "--", "seq", "5000"] : ["pipe"];
    const { stdout, status } = await sandbox.run(args, { input: seq(5000) });
    const uri = uriPattern.exec(stdout.toString())?.[0];
    expect(status).toBe(0);
    expect(stdout.toString()).toBe(
      `${seq(998)}\n... output truncated; full content available as ${uri} ...\n` +
        `... 3,004 lines (15,019 bytes) omitted; next: toolout read ${uri} --offset 3884 ...\n\n${seq(5000, 4003)}`,
    );
    expect(sandbox.payloads().map(String)).toEqual([seq(5000)]);
  });

  it("passes whole through a second tool of the same limits", async () => {
    const sandbox = new Sandbox();
    for (const limit of ["7", "50", "2000"]) {
      const once = await sandbox.bash(`seq 5000 | toolout pipe --max-lines ${limit}`);
      const again = await sandbox.run(["pipe", "--max-lines", limit], { input: once.stdout });
      expect(again.stdout.equals(once.stdout)).toBe(true);
      expect(once.stdout.toString().split("\n").length - 1).toBe(Number(limit));
    }
    expect(sandbox.payloads().length).toBe(3);
  });
});

describe("overflow", () => {
  const bytes = 1_200_000;
  const big = "x"
    .repeat(99)
    .concat("\n")
    .repeat(bytes / 100);

  it("store keeps everything past the capture cap", async () => {
    const sandbox = new Sandbox();
    await sandbox.run(["pipe"], { input: big });
    expect(sandbox.payloads().map((payload) => payload.length)).toEqual([bytes]);
  });

  it("drop keeps the first bytes, counts the rest and names no URI", async () => {
    const sandbox = new Sandbox();
    const { stdout } = await sandbox.run(["pipe", "--overflow", "drop"], { input: `${big}the end\n` });
    expect(stdout.toString()).toContain(
      "... output truncated; 1,048,576 of 1,200,008 bytes kept, see toolout list ...\n",
    );
    expect(stdout.toString()).not.toMatch(/tool-output:|full/);
    expect(stdout.toString().endsWith("\nthe end\n")).toBe(true);
    expect(sandbox.payloads().map((payload) => payload.length)).toEqual([1_048_576]);
    const json = await sandbox.run(["pipe", "--json", "--overflow", "drop"], { input: big });
    expect(JSON.parse(json.stdout.toString())).toMatchObject({
      complete: false,
      resource: null,
      bytes,
      truncated: true,
    });
  });

  it.each([[], ["--json"]])("reject prints and stores nothing, and fails (%j)", async (...options) => {
    const sandbox = new Sandbox();
    for (const args of [
      ["pipe", "--overflow", "reject", ...options],
      ["run", "--overflow", "reject", ...options, "--", "yes"],
    ]) {
      const ended = await sandbox.run(args, { input: big });
      expect(ended.status).toBe(1);
      expect(sandbox.list(sandbox.managed)).toEqual([]);
      const said =
        options.length > 0 ? JSON.parse(ended.stdout.toString()).error : { kind: "too-large", message: ended.stderr };
      expect(said.kind).toBe("too-large");
      expect(said.message).toContain("more than 1,048,576 bytes");
      if (options.length === 0) expect(ended.stdout.length).toBe(0);
    }
  });

  it("reject shows an output that is not over the cap", async () => {
    const { stdout, status } = await new Sandbox().run(["run", "--overflow", "reject", "--", "seq", "3000"]);
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(/^1\n2\n.*full content available as.*\n3000\n$/s);
  });

  it("storeBytes bounds the copy, and the marker says so", async () => {
    const sandbox = new Sandbox();
    const { stdout } = await sandbox.run(["pipe", "--store-bytes", "64KiB"], { input: big });
    expect(stdout.toString()).toMatch(/\.\.\. output truncated; 65,536 of 1,200,000 bytes kept as tool-output:/);
    expect(sandbox.payloads().map((payload) => payload.length)).toEqual([65_536]);
  });
});
