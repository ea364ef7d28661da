/** Endings that once went wrong: output that cannot be written, signals at odd moments, trees that try to stay. */
import { readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, isRunning, Sandbox } from "./sandbox.ts";

const cannotWrite = "toolout: cannot write to stdout: no space left on device\n";

describe("a stdout that takes nothing", () => {
  it.each(["run -- seq 10", "list", "config list", "read f"])("makes a success a failure: %s", async (args) => {
    const ended = await new Sandbox().bash(
      `seq 9 > f; seq 3000 | toolout pipe > /dev/null; toolout ${args} > /dev/full`,
    );
    expect(ended).toMatchObject({ status: 1, stderr: cannotWrite });
  });

  it("is trouble of grep, not a search that found nothing", async () => {
    const ended = await new Sandbox().bash("seq 9 > f; toolout grep 5 f > /dev/full");
    expect(ended).toMatchObject({ status: 2, stderr: cannotWrite });
  });

  it("ends an endless command", async () => {
    const ended = await new Sandbox().bash("toolout run -- yes > /dev/full");
    expect(ended).toMatchObject({ status: 141, stderr: cannotWrite });
  });

  it("ends an endless input", async () => {
    const ended = await new Sandbox().bash("yes | toolout pipe --store-bytes 1MiB > /dev/full");
    expect(ended).toMatchObject({ status: 1, stderr: cannotWrite });
  });
});

describe("a store that cannot even be loaded", () => {
  it("is one line of trouble", async () => {
    const sandbox = new Sandbox();
    const program = sandbox.copyProgram();
    const dist = join(program, "..", "..", "dist");
    // The bundler names the chunk that the store's writer is in; the code cache holds the same source.
    const hasWriter = (name: string) =>
      readFileSync(join(dist, name), "utf8").includes("cannot store all of the output in");
    const chunks = readdirSync(dist).filter((name) => name.endsWith(".js") && hasWriter(name));
    expect(chunks).toHaveLength(1);
    const caches = readdirSync(dist).filter((name) => name.startsWith("code-cache"));
    for (const name of [...chunks, ...caches]) rmSync(join(dist, name));
    const ended = await sandbox.bash('"$@"', {
      args: [process.execPath, program, "run", "--", "sh", "-c", "seq 3000; exit 6"],
    });
    expect(ended.status).toBe(6);
    expect(ended.stdout.toString()).toContain("0 of 13,893 bytes kept");
    expect(ended.stdout.toString().endsWith("\n3000\n")).toBe(true);
    expect(ended.stderr).toMatch(/^toolout: cannot store the output: [^\n]+\n$/);
  });
});

describe("a signal while the end is printed to a slow reader", () => {
  it.each(["run -- cat f", "pipe < f"])("does not lose the marker and the tail: %s", async (args) => {
    const sandbox = new Sandbox();
    const command = args.startsWith("run")
      ? 'seq 200000 > f; exec "$NODE" "$PROGRAM" run --max-bytes 1MiB --max-lines 100000 -- cat f'
      : 'seq 200000 > f; exec "$NODE" "$PROGRAM" pipe --max-bytes 1MiB --max-lines 100000 < f';
    const reader = `{ echo $BASHPID > pid; ${command}; } | { until [ -e go ]; do sleep 0.05; done; cat > shown; }`;
    const env = { NODE: process.execPath, PROGRAM: join(process.cwd(), "bin/toolout.js") };
    const finished = sandbox.bash(reader, { env });
    // The record is there once everything is stored: from then on only printing is left.
    await eventually(() => sandbox.list(sandbox.managed).some((name) => name.endsWith(".json")));
    process.kill(Number(readFileSync(join(sandbox.work, "pid"), "utf8")), "SIGTERM");
    await sandbox.bash("sleep 0.3; touch go");
    await finished;
    const shown = readFileSync(join(sandbox.work, "shown"), "utf8");
    expect(shown).toContain("full content available");
    expect(shown.endsWith("\n200000\n")).toBe(true);
  });
});

describe("a signal that comes twice at once", () => {
  it("is one request, as from timeout(1), and the command may clean up", async () => {
    const script = "trap 'echo cleanup; exit 9' TERM; echo begun; while :; do sleep 0.1; done";
    const ended = await new Sandbox().bash(`timeout 2 toolout run -- sh -c "${script}"; echo $?`);
    expect(ended.stdout.toString()).toMatch(/^begun\n(cleanup\n)+124\n$/);
  });

  it("does not tear the marker of pipe, or lose what came", async () => {
    const sandbox = new Sandbox();
    const line =
      "{ seq 3000; touch ready; sleep 50; } | { toolout pipe > shown & echo $! > pid; wait $!; echo $? > status; }";
    const finished = sandbox.bash(line);
    await eventually(() => sandbox.list(sandbox.work).includes("ready") && sandbox.list(sandbox.managed).length > 0);
    const pid = Number(readFileSync(join(sandbox.work, "pid"), "utf8"));
    process.kill(pid, "SIGINT");
    process.kill(pid, "SIGTERM");
    await eventually(() => sandbox.list(sandbox.work).includes("status"));
    const shown = readFileSync(join(sandbox.work, "shown"), "utf8");
    expect(shown).toContain("full content available");
    expect(shown.endsWith("\n3000\n")).toBe(true);
    void finished.catch(() => {});
  });
});

describe("a stderr that takes nothing", () => {
  it("makes a success a failure too", async () => {
    const ended = await new Sandbox().bash("toolout run -- sh -c 'echo e >&2' 2> /dev/full; echo $?");
    expect(ended.stdout.toString()).toBe("1\n");
  });
});

describe("--wait", () => {
  it("keeps the time limit after the command has ended", async () => {
    const sandbox = new Sandbox();
    const ended = await sandbox.run(["run", "--wait", "--timeout", "2s", "-c", "sleep 50 & echo $! > pid; echo hi"]);
    expect([ended.status, ended.stdout.toString()]).toEqual([124, "hi\n"]);
    expect(isRunning(Number(readFileSync(join(sandbox.work, "pid"), "utf8")))).toBe(false);
  });

  it("is over with a signal", async () => {
    const sandbox = new Sandbox();
    const { child, finished } = sandbox.start(["run", "--wait", "-c", "sleep 50 & echo $! > pid; echo hi; exit 7"]);
    const pid = await eventually(
      () => sandbox.list(sandbox.work).includes("pid") && readFileSync(join(sandbox.work, "pid"), "utf8"),
    );
    await eventually(() => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8") === "");
    child.kill("SIGTERM");
    expect((await finished).status).toBe(7);
    process.kill(Number(pid), "SIGKILL");
  });
});

describe("the time limit", () => {
  it("also ends what is started by those who are told to end", async () => {
    const sandbox = new Sandbox();
    const script = 'trap "sleep 50 & echo \\$! > pid; exit" TERM; echo begun; while :; do sleep 0.1; done';
    const ended = await sandbox.run(["run", "--timeout", "2s", "--", "sh", "-c", script]);
    expect([ended.status, ended.stdout.toString()]).toEqual([124, "begun\n"]);
    expect(isRunning(Number(readFileSync(join(sandbox.work, "pid"), "utf8")))).toBe(false);
  });
});

describe("the sweep after storing", () => {
  it.each([
    { what: "a relative data directory", env: { TOOLOUT_DATA_DIR: "own" }, options: [] },
    { what: "outputs of which a part was dropped", env: { TOOLOUT_DATA_DIR: "own" }, options: ["--overflow", "drop"] },
  ])("reaches $what", async ({ env, options }) => {
    const sandbox = new Sandbox();
    const big = "x".repeat(99).concat("\n").repeat(12_000);
    await sandbox.run(["pipe", ...options], { env, input: big });
    const managed = join(sandbox.work, "own", "managed");
    for (const name of sandbox.list(managed)) utimesSync(join(managed, name), 1e9, 1e9);
    utimesSync(join(sandbox.work, "own", "swept"), 1e9, 1e9);
    await sandbox.run(["pipe", ...options], { env, input: big });
    await eventually(() => sandbox.list(managed).length === 2);
  });
});

describe("what a message shows", () => {
  it("never holds control characters of a path", async () => {
    const sandbox = new Sandbox();
    const env = { TOOLOUT_DATA_DIR: "/dev/null/\u001b[2Jx" };
    const ended = await sandbox.run(["run", "--", "seq", "3000"], { env });
    expect(ended.stderr).toMatch(/^toolout: [^\n]+\n$/);
    expect(ended.stderr).not.toContain("\u001b");
    const named = await sandbox.run(["run", "--json", "--name", "\u009bx", "--", "seq", "3000"]);
    expect(named.stdout.includes(Buffer.from("\u009b"))).toBe(false);
    expect(JSON.parse(named.stdout.toString()).stdout.resource.name).toBe("\u009bx");
  });
});
