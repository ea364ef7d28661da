import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, isRunning, Sandbox, seq } from "./sandbox.ts";

const turns = "i=0; while [ $i -lt 300 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done";
const inTurn = Array.from({ length: 300 }, (_, i) => `out ${i}\nerr ${i}\n`).join("");

describe("the streams of a command", () => {
  it("stay apart", async () => {
    const ended = await new Sandbox().run(["run", "--", "sh", "-c", "echo out; echo err >&2"]);
    expect([ended.stdout.toString(), ended.stderr]).toEqual(["out\n", "err\n"]);
  });

  it("keep their order with --merge", async () => {
    const ended = await new Sandbox().run(["run", "--merge", "--", "sh", "-c", turns]);
    expect([ended.stdout.toString(), ended.stderr]).toEqual([inTurn, ""]);
  });

  it("keep their order without --merge when both are one file", async () => {
    const sandbox = new Sandbox();
    const file = join(sandbox.work, "both");
    const fd = openSync(file, "w");
    await sandbox.run(["run", "--", "sh", "-c", turns], { stdio: ["ignore", fd, fd] });
    closeSync(fd);
    expect(readFileSync(file, "utf8")).toBe(inTurn);
  });

  it("are both read when one is full", async () => {
    const script = "head -c 1000000 /dev/zero | tr '\\0' e >&2; echo done";
    const ended = await new Sandbox().run(["run", "--", "sh", "-c", script]);
    expect(ended.stdout.toString()).toBe("done\n");
    expect(ended.stderr.length).toBeGreaterThan(40_000);
    expect(ended.stderr.length).toBeLessThanOrEqual(51_200);
  });

  it.each([
    ["echo x > /dev/stdout", "x\n", ""],
    ["echo x > /dev/stderr", "", "x\n"],
    ["echo x | tee /dev/stderr", "x\n", "x\n"],
    ["echo x | tee /dev/stdout", "x\nx\n", ""],
    ["cat <(echo x)", "x\n", ""],
  ])("can be opened by name: %s", async (script, out, err) => {
    const ended = await new Sandbox().run(["run", "--", "bash", "-c", script]);
    expect([ended.stdout.toString(), ended.stderr, ended.status]).toEqual([out, err, 0]);
  });

  it.each([
    "run --max-bytes 1MiB --max-lines 100000 -- cat f",
    "run --json --max-bytes 1MiB --max-lines 100000 -- cat f",
    "pipe --max-bytes 1MiB --max-lines 100000 < f",
    "read f --limit 1MiB",
  ])("reach a reader that is slow, whole: %s", async (args) => {
    const sandbox = new Sandbox();
    const ended = await sandbox.bash(`seq 90000 > f; toolout ${args} | { sleep 1; cat; }; echo \${PIPESTATUS[0]}`);
    const text = ended.stdout.toString();
    const body = text.slice(0, -2);
    expect(text.slice(-2)).toBe("0\n");
    expect((args.includes("--json") ? JSON.parse(body).stdout.content : body) === seq(90_000)).toBe(true);
  });

  it("show a prompt and the first lines while the command runs", async () => {
    const sandbox = new Sandbox();
    const { child } = sandbox.start(["run", "--", "sh", "-c", "echo line; printf 'Password: '; sleep 60"]);
    let seen = "";
    child.stdout?.on("data", (bytes) => {
      seen += bytes;
    });
    await eventually(() => seen === "line\nPassword: ");
  });
});

describe("the output of a command that has ended", () => {
  it.each([
    { held: "stdout and stderr", options: [], redirection: "" },
    { held: "stdout", options: [], redirection: "2>/dev/null" },
    { held: "stderr", options: [], redirection: ">/dev/null" },
    { held: "the pipe of --merge", options: ["--merge"], redirection: "" },
  ])("is not waited for when a silent background process holds $held", async ({ options, redirection }) => {
    const sandbox = new Sandbox();
    const script = `sleep 50 ${redirection} & echo $! > pid; seq 3000; echo done`;
    const ended = await sandbox.run(["run", ...options, "--", "sh", "-c", script]);
    expect(isRunning(Number(readFileSync(join(sandbox.work, "pid"), "utf8")))).toBe(true);
    process.kill(Number(readFileSync(join(sandbox.work, "pid"), "utf8")), "SIGKILL");
    expect(ended.status).toBe(0);
    expect(ended.stdout.toString().endsWith("\ndone\n")).toBe(true);
  });

  it("is not waited for when a background process never stops writing", async () => {
    const ended = await new Sandbox().run(["run", "--", "sh", "-c", "yes & exit 3"]);
    expect(ended.status).toBe(3);
  });

  it("is waited for with --wait", async () => {
    const ended = await new Sandbox().run(["run", "--wait", "--", "sh", "-c", "(sleep 1; echo late) & echo hi"]);
    expect(ended.stdout.toString()).toBe("hi\nlate\n");
  });

  it("leaves a background process alone that has let go of it", async () => {
    const sandbox = new Sandbox();
    await sandbox.run(["run", "--", "sh", "-c", "sleep 50 >/dev/null 2>&1 & echo $! > pid"]);
    const pid = Number(readFileSync(join(sandbox.work, "pid"), "utf8"));
    expect(isRunning(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });
});

describe("stdin", () => {
  it.each([
    ["printf 'a\\nb\\n' | toolout run -- wc -l", "2"],
    ["seq 5000 > f; toolout run -- wc -l < f", "5000"],
    ["toolout run -- cat < /dev/null; echo end", "end"],
    ["toolout run -- sh -c 'echo runs' <&-", "runs"],
    ["toolout run -- sh -c 'test -c /dev/stdin && echo device' < /dev/null", "device"],
    ["printf 'L1\\nL2\\n' | while read -r l; do toolout run -- true; echo $l; done | tr '\\n' ' '", "L1 L2"],
    ["seq 9 | { toolout run -- head -c 2; cat; } | tr '\\n' ' '", "1 2 3 4 5 6 7 8 9"],
  ])("is the command's: %s", async (line, want) => {
    expect((await new Sandbox().bash(line)).stdout.toString().trim()).toBe(want);
  });
});

/** Sets O_NONBLOCK on the descriptor of that number, and becomes what follows. */
const nonBlocking = (fd: number) =>
  `perl -MFcntl -e 'open(my $f, "+<&=", ${fd}); fcntl($f, F_SETFL, fcntl($f, F_GETFL, 0) | O_NONBLOCK); exec @ARGV'`;
const flagsOf = (fd: number) => `grep flags /proc/$$/fdinfo/${fd} >&2`;

describe.runIf(spawnSync("perl", ["-e", "1"]).status === 0)("a pipe that its owner set non-blocking", () => {
  it.each(["run -- cat f", "run --merge -- cat f", "pipe < f", "read f --limit 1MiB"])(
    "gets everything and keeps its flags: %s",
    async (args) => {
      const sandbox = new Sandbox();
      const limits = { TOOLOUT_MAX_BYTES: "1MiB", TOOLOUT_MAX_LINES: "100000" };
      const inner = `${flagsOf(1)}; toolout ${args}; echo $?; ${flagsOf(1)}`;
      const line = `seq 90000 > f; ${nonBlocking(1)} bash -c "$1" | { sleep 0.5; cat; }`;
      const ended = await sandbox.bash(line, { args: [inner], env: limits });
      expect(ended.stdout.toString() === `${seq(90_000)}0\n`).toBe(true);
      const [before, after] = ended.stderr.trim().split("\n");
      expect(before).toMatch(/4[0-7]{3}$/);
      expect(after).toBe(before);
    },
  );

  it("is the command's stdin, and keeps its flags", async () => {
    const inner = `${flagsOf(0)}; toolout run -- head -n 1; ${flagsOf(0)}`;
    const line = `{ sleep 0.5; echo late; sleep 0.5; } | ${nonBlocking(0)} bash -c "$1"`;
    const ended = await new Sandbox().bash(line, { args: [inner] });
    expect(ended.stdout.toString()).toBe("late\n");
    const [before, after] = ended.stderr.trim().split("\n");
    expect(before).toMatch(/4[0-7]{3}$/);
    expect(after).toBe(before);
  });
});

describe("a reader that leaves", () => {
  it("ends an endless command by PIPE, quietly", async () => {
    const ended = await new Sandbox().bash("toolout run -- yes 2>err | head -n 1; echo ${PIPESTATUS[0]}; cat err");
    expect(ended.stdout.toString()).toBe("y\n141\n");
  });

  it("is no error for pipe, which stores on", async () => {
    const sandbox = new Sandbox();
    const ended = await sandbox.bash("seq 90000 | toolout pipe 2>err | head -n 1; echo ${PIPESTATUS[1]}; cat err");
    expect(ended.stdout.toString()).toBe("1\n0\n");
    expect(sandbox.payloads().map(String)).toEqual([seq(90_000)]);
  });

  it("ends an endless input", async () => {
    const ended = await new Sandbox().bash("yes | toolout pipe 2>err | head -n 1; echo ${PIPESTATUS[1]}; cat err");
    expect(ended.stdout.toString()).toBe("y\n0\n");
  });

  it("does not end a command that ignores PIPE", async () => {
    const script = "trap '' PIPE; for i in 1 2 3; do echo $i; sleep 0.2; done 2>/dev/null; exit 5";
    const ended = await new Sandbox().bash(
      `toolout run -- sh -c "${script.replaceAll("$", "\\$")}" 2>err | head -n 1; echo \${PIPESTATUS[0]}; cat err`,
    );
    expect(ended.stdout.toString()).toBe("1\n5\n");
  });

  it("or a full device costs one line and no stack", async () => {
    const sandbox = new Sandbox();
    const ran = await sandbox.bash("toolout run -- sh -c 'seq 9; exit 4' > /dev/full");
    expect(ran).toMatchObject({ status: 4, stderr: "toolout: cannot write to stdout: no space left on device\n" });
    const piped = await sandbox.bash("seq 9 | toolout pipe > /dev/full");
    expect(piped).toMatchObject({ status: 1, stderr: "toolout: cannot write to stdout: no space left on device\n" });
  });
});
