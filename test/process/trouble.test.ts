import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Finished, Sandbox, seq } from "./sandbox.ts";

const script = ["run", "--", "sh", "-c", "seq 3000; exit 6"];

describe("trouble with the store", () => {
  it.each([
    ["a file in its place", (at: string) => writeFileSync(at, "")],
    ["a dangling link in its place", (at: string) => symlinkSync("nowhere", at)],
  ])("keeps output and status, with one line: %s", async (_, make) => {
    const sandbox = new Sandbox();
    const place = join(sandbox.work, "place");
    make(place);
    await expectResultKept(sandbox, { XDG_DATA_HOME: place });
  });

  it.each(["/proc", "/proc/no/such", "/dev/null", "/dev/null/below"])(
    "keeps output and status below %s",
    async (place) => {
      await expectResultKept(new Sandbox(), { XDG_DATA_HOME: place });
    },
  );

  it("keeps output and status of a user whose home is not there", async () => {
    await expectResultKept(new Sandbox(), { HOME: "/dev/null", XDG_DATA_HOME: "", XDG_CONFIG_HOME: "" });
  });

  it("keeps output and status past the largest file allowed", async () => {
    const sandbox = new Sandbox();
    const ended = await sandbox.bash(
      "ulimit -f 8; toolout run -- sh -c 'seq 900000; exit 6' | tail -n 1; echo ${PIPESTATUS[0]}",
    );
    expect(ended.stdout.toString()).toBe("900000\n6\n");
    expect(ended.stderr).toMatch(/^toolout: [^\n]+\n$/);
  });

  it("keeps output and status where nothing may be written", async () => {
    const sandbox = new Sandbox();
    const place = join(sandbox.work, "place");
    mkdirSync(place);
    chmodSync(place, 0o555);
    expectKept(await runUnprivileged(sandbox, { XDG_DATA_HOME: place }));
    expect(sandbox.list(place)).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    "keeps output and status of a user without account and home (as root)",
    async () => {
      const sandbox = new Sandbox();
      const env = { HOME: undefined, XDG_DATA_HOME: undefined, XDG_CONFIG_HOME: undefined };
      expectKept(await runUnprivileged(sandbox, env));
      const help = await runUnprivileged(sandbox, env, ["--help"]);
      expect([help.status, help.stderr]).toEqual([0, ""]);
    },
  );

  it("is told in JSON by the absence of a resource", async () => {
    const ended = await new Sandbox().run(["run", "--json", "--", "seq", "3000"], {
      env: { XDG_DATA_HOME: "/dev/null" },
    });
    const { stdout } = JSON.parse(ended.stdout.toString());
    expect(stdout).toMatchObject({ truncated: true, complete: false, resource: null, bytes: 13_893 });
    expect(ended.stderr).toMatch(/^toolout: [^\n]+\n$/);
  });

  async function expectResultKept(sandbox: Sandbox, env: Record<string, string>) {
    expectKept(await sandbox.run(script, { env }));
  }

  function expectKept(ended: Finished) {
    expect(ended.status).toBe(6);
    expect(ended.stdout.toString()).toBe(
      `${seq(998)}\n... output truncated; 0 of 13,893 bytes kept ...\n... 1,004 lines (5,019 bytes) omitted ...\n\n${seq(3000, 2003)}`,
    );
    expect(ended.stderr).toMatch(/^toolout: [^\n]+\n$/);
  }
});

/** Root may write anywhere: this toolout gives up being root, and every account with it, before it starts. */
function runUnprivileged(sandbox: Sandbox, env: Record<string, string | undefined>, args: readonly string[] = script) {
  const hook = join(sandbox.work, "unprivileged.cjs");
  const drop = "process.setgroups([]); process.setgid(54321); process.setuid(54321);";
  writeFileSync(hook, `if (process.getuid() === 0) { ${drop} }`);
  chmodSync(sandbox.directory, 0o755);
  const words = [process.execPath, "--require", hook, sandbox.copyProgram(), ...args];
  return sandbox.bash('"$@"', { env, args: words });
}

describe("trouble with the limits file", () => {
  it.each(["{bad", "[1]", '{"maxLines":"lots"}'])("is one line, and the command runs: %s", async (text) => {
    const sandbox = new Sandbox();
    mkdirSync(join(sandbox.directory, "config", "toolout"));
    writeFileSync(join(sandbox.directory, "config", "toolout", "config.json"), text);
    const ended = await sandbox.run(script);
    expect(ended.status).toBe(6);
    expect(ended.stdout.toString().endsWith("\n3000\n")).toBe(true);
    expect(ended.stderr).toMatch(/^toolout: [^\n]+\n$/);
  });

  it("in a variable stops the command before it runs", async () => {
    const sandbox = new Sandbox();
    const ended = await sandbox.run(["run", "--", "touch", "ran"], { env: { TOOLOUT_MAX_LINES: "5OO" } });
    expect(ended.status).toBe(125);
    expect(ended.stderr).toMatch(/^toolout: TOOLOUT_MAX_LINES[^\n]*"5OO"[^\n]*\n$/);
    expect(sandbox.list(sandbox.work)).toEqual([]);
  });
});

describe("a directory", () => {
  it("that is gone does not keep a command from running", async () => {
    const ended = await new Sandbox().bash("mkdir gone; cd gone; rmdir ../gone; toolout run -- echo there");
    expect([ended.status, ended.stdout.toString()]).toEqual([0, "there\n"]);
  });

  it("of PATH that cannot be searched does not make a missing command one that may not be run", async () => {
    const sandbox = new Sandbox();
    const closed = join(sandbox.work, "closed");
    mkdirSync(closed, { mode: 0o000 });
    const env = { PATH: `${closed}:${sandbox.env["PATH"]}` };
    const missing = await runUnprivileged(sandbox, env, ["run", "--", "no-such-program-xyz"]);
    const found = await runUnprivileged(sandbox, env, ["run", "--", "echo", "found"]);
    chmodSync(closed, 0o700);
    expect(missing).toMatchObject({ status: 127, stderr: 'toolout: "no-such-program-xyz": command not found\n' });
    expect(found.stdout.toString()).toBe("found\n");
  });
});
