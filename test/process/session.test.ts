import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { program, Sandbox, seq, uriPattern } from "./sandbox.ts";

/** Stores an output in the session of the file `secret`; its URI. */
async function store(sandbox: Sandbox): Promise<string> {
  writeFileSync(join(sandbox.work, "secret"), "one & only\n");
  const ended = await sandbox.run(["pipe", "--session-file", "secret"], { input: seq(3000) });
  return uriPattern.exec(ended.stdout.toString())?.[0] ?? "nothing was stored";
}

const commandsOn = (uri: string) => [["read", uri], ["grep", "3000", uri], ["show", uri], ["list"], ["rm", uri]];

describe("a session", () => {
  it("is the same from a file, a descriptor, a pipe, a flag and the environment, for every command", async () => {
    for (const say of [
      "--session-file secret",
      "--session-file 3 3<secret",
      "--session-file 9 9<secret",
      "--session-file 3 3< <(printf 'one & only')",
      "--session-file <(cat secret)",
      "--session 'one & only'",
    ]) {
      const sandbox = new Sandbox();
      const uri = await store(sandbox);
      for (const [name, ...operands] of commandsOn(uri)) {
        const ended = await sandbox.bash(`toolout ${name} "$@" ${say}`, { args: operands });
        expect([say, name, ended.status]).toEqual([say, name, 0]);
        expect(ended.stdout.toString()).toMatch(name === "list" ? uri : /./);
      }
      expect(sandbox.payloads()).toEqual([]);
    }
  });

  it("of another, of none, or of what its record shows is refused by every command, and list shows nothing", async () => {
    const sandbox = new Sandbox();
    const uri = await store(sandbox);
    writeFileSync(join(sandbox.work, "other"), "one & onlY\n");
    const { resource } = JSON.parse((await sandbox.run(["show", uri, "--any-session", "--json"])).stdout.toString());
    expect(resource.sessionID).toMatch(/^[0-9a-f]{64}$/);
    for (const say of [[], ["--session-file", "other"], ["--session", resource.sessionID]]) {
      for (const args of commandsOn(uri)) {
        const ended = await sandbox.run([...args, ...say]);
        expect([args[0], ended.status, ended.stdout.length]).toEqual([args[0], args[0] === "list" ? 0 : 4, 0]);
        expect(ended.stderr).toMatch(/^toolout: [^\n]+\n$/);
      }
    }
    expect(sandbox.payloads().length).toBe(1);
  });

  it("from a file wins over the environment, and is not given beside the flag", async () => {
    const sandbox = new Sandbox();
    const uri = await store(sandbox);
    const env = { TOOLOUT_SESSION: "another" };
    expect((await sandbox.run(["show", uri], { env })).status).toBe(4);
    expect((await sandbox.run(["show", uri, "--session-file", "secret"], { env })).status).toBe(0);
    for (const [args, status] of [
      [["show", uri], 2],
      [["pipe"], 2],
      [["run", "true"], 125],
    ] as const) {
      const ended = await sandbox.run([args[0], "--session-file", "secret", "--session", "x", ...args.slice(1)]);
      expect([ended.status, ended.stderr]).toEqual([
        status,
        "toolout: --session and --session-file exclude each other\n",
      ]);
    }
  });

  it("from a file is not repeated where toolout says how to read on", async () => {
    const sandbox = new Sandbox();
    const uri = await store(sandbox);
    const page = await sandbox.run(["read", uri, "--session-file", "secret", "--lines", "2"]);
    expect(page.stderr).toContain(`next: toolout read ${uri} --session-file secret --offset 4`);
    const next = await sandbox.bash(/next: (toolout read .*)$/m.exec(page.stderr)?.[1] ?? "false");
    expect(next.stdout.toString().startsWith("3\n4\n")).toBe(true);
  });

  it("that cannot be read fails before the command runs, with one line", async () => {
    const sandbox = new Sandbox();
    writeFileSync(join(sandbox.work, "empty"), "\n");
    for (const place of ["none", "empty", "/", "/dev/null", "2", "77"]) {
      const ended = await sandbox.run(["run", "--session-file", place, "--", "touch", "ran"]);
      expect([place, ended.status]).toEqual([place, 125]);
      expect(ended.stderr).toMatch(/^toolout: --session-file "[^"]+": [^\n]+\n$/);
    }
    expect(sandbox.list(sandbox.work)).toEqual(["empty"]);
  });

  it("on a descriptor that nobody opened is an error at once, whatever Node has there", async () => {
    const sandbox = new Sandbox();
    const ended = await Promise.all(
      Array.from({ length: 30 }, (_, i) => sandbox.run(["list", "--session-file", `${i + 3}`])),
    );
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 2));
    const both = await sandbox.bash("mkfifo f; exec 7<>f; echo one >&7; toolout list --session-file 7");
    expect([both.status, both.stdout.length]).toEqual([2, 0]);
  });

  it("on a descriptor is not the command's; one in the environment is", async () => {
    const sandbox = new Sandbox();
    writeFileSync(join(sandbox.work, "secret"), "one");
    const script = "cat <&3 || echo none; env | grep -c '^TOOLOUT_SESSION='";
    const ended = await sandbox.bash(`toolout run --session-file 3 -c "$1" 3<secret 2>/dev/null`, { args: [script] });
    expect(ended.stdout.toString()).toBe("none\n0\n");
    const nested = await sandbox.run(["run", "-c", "toolout run seq 3000 >/dev/null; toolout read last --tail 1"], {
      env: { TOOLOUT_SESSION: "one" },
    });
    expect(nested.stdout.toString()).toBe("3000\n");
    expect((await sandbox.run(["read", "last", "--tail", "1", "--session", "one"])).stdout.toString()).toBe("3000\n");
  });

  it("comes through what Node gives its children for a pipe", async () => {
    const sandbox = new Sandbox();
    const uri = await store(sandbox);
    const child = spawn(process.execPath, [program, "read", uri, "--tail", "1", "--session-file", "3"], {
      env: sandbox.env,
      stdio: ["ignore", "pipe", "inherit", "pipe"],
    });
    (child.stdio[3] as Writable).end("one & only");
    const text = await new Promise((resolve) => child.stdout?.on("data", (bytes) => resolve(`${bytes}`)));
    expect(text).toBe("3000\n");
  });
});
