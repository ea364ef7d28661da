import { readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, isRunning, Sandbox, seq } from "./sandbox.ts";

/** Prints much, counts the signals it gets in a file, and goes on until it is killed. */
const counter = `
  const fs = require("fs");
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGWINCH", "SIGPWR"])
    process.on(name, () => fs.appendFileSync("got", name + "\\n"));
  for (let i = 1; i <= 3000; i += 1) console.log(i);
  fs.writeFileSync("pid", String(process.pid));
  setInterval(() => {}, 1000);
`;

async function startCounter(sandbox: Sandbox) {
  const started = sandbox.startGroup(["run", "--", process.execPath, "-e", counter]);
  const pid = await eventually(() => readNumber(join(sandbox.work, "pid")));
  return { ...started, pid };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** A signal that is handed on comes after those that came before it. */
async function untilHandled(sandbox: Sandbox, pid: number | undefined): Promise<void> {
  process.kill(pid as number, "SIGUSR1");
  await eventually(() => readText(join(sandbox.work, "got")).endsWith("SIGUSR1\n"));
}

/** The process that toolout has started to see what is sent to all of its group. */
function witnessOf(pid: number | undefined): string | undefined {
  const children = readText(`/proc/${pid}/task/${pid}/children`).trim().split(" ");
  return children.find((one) => readText(`/proc/${one}/comm`) === "cat\n");
}

/** Whether the process has a handler for the signal of that number (SigCgt of proc(5)). */
function catches(pid: number, signal: number): boolean {
  const caught = /^SigCgt:\t([0-9a-f]+)/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? "0";
  return ((BigInt(`0x${caught}`) >> BigInt(signal - 1)) & 1n) === 1n;
}

/** State T of proc(5). */
function isStopped(pid: number | undefined): boolean {
  return /^State:\tT/m.test(readText(`/proc/${pid}/status`));
}

function readNumber(path: string): number {
  return Number(readText(path));
}

describe("a signal sent to toolout", () => {
  it.each([
    ...(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM"] as const),
    ...(["SIGWINCH", "SIGPWR"] as const),
  ])("reaches the command once: %s", async (name) => {
    const sandbox = new Sandbox();
    const { child, pid, finished } = await startCounter(sandbox);
    child.kill(name);
    await eventually(() => readText(join(sandbox.work, "got")) !== "");
    process.kill(pid, "SIGKILL");
    expect((await finished).signal).toBe("SIGKILL");
    expect(readText(join(sandbox.work, "got"))).toBe(`${name}\n`);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ends both, and what came is printed and stored: %s",
    async (name) => {
      const sandbox = new Sandbox();
      const script = "seq 3000; echo $$ > pid; exec sleep 60";
      const { child, finished } = sandbox.start(["run", "--", "sh", "-c", script]);
      const pid = await eventually(() => readNumber(join(sandbox.work, "pid")));
      child.kill(name);
      const ended = await finished;
      expect(ended.signal).toBe(name);
      expect(ended.stdout.toString().endsWith("\n3000\n")).toBe(true);
      expect(sandbox.payloads().map(String)).toEqual([seq(3000)]);
      expect(isRunning(pid)).toBe(false);
    },
  );

  it("ends a command that ignores it when it comes a second time", async () => {
    const sandbox = new Sandbox();
    const { child, pid, finished } = await startCounter(sandbox);
    child.kill("SIGTERM");
    await eventually(() => readText(join(sandbox.work, "got")) !== "");
    await new Promise((resolve) => setTimeout(resolve, 100)); // sooner, it would be an echo of the first
    child.kill("SIGTERM");
    expect((await finished).signal).toBe("SIGTERM");
    await eventually(() => !isRunning(pid));
  });

  it.each([
    ["all of the group", (pid) => process.kill(-pid, "SIGTERM"), "SIGTERM\n"],
    [
      "toolout and then the group",
      (pid) => {
        process.kill(pid, "SIGTERM");
        process.kill(-pid, "SIGTERM");
      },
      "SIGTERM\n",
    ],
    [
      "all, and another one to toolout alone",
      (pid) => {
        process.kill(-pid, "SIGINT");
        process.kill(pid, "SIGTERM");
      },
      "SIGINT\nSIGTERM\n",
    ],
  ] as ReadonlyArray<[string, (pid: number) => void, string]>)(
    "reaches the command once when it is sent to %s",
    async (_, send, want) => {
      const sandbox = new Sandbox();
      const { child, pid, finished } = await startCounter(sandbox);
      await eventually(() => witnessOf(child.pid));
      send(child.pid as number);
      await eventually(() => readText(join(sandbox.work, "got")).length >= want.length); // USR1 would overtake TERM
      await untilHandled(sandbox, child.pid);
      process.kill(pid, "SIGKILL");
      expect((await finished).signal).toBe("SIGKILL");
      expect(readText(join(sandbox.work, "got"))).toBe(`${want}SIGUSR1\n`);
    },
  );

  it("reaches the command each time when all get it twice, and does not end it", async () => {
    const sandbox = new Sandbox();
    const { child, pid, finished } = await startCounter(sandbox);
    for (let i = 0; i < 2; i += 1) {
      const witness = await eventually(() => witnessOf(child.pid));
      await new Promise((resolve) => setTimeout(resolve, 100)); // sooner, it would be an echo of the first
      process.kill(-(child.pid as number), "SIGINT");
      await eventually(() => witnessOf(child.pid) !== witness && witnessOf(child.pid));
    }
    const witness = await eventually(() => witnessOf(child.pid));
    await untilHandled(sandbox, child.pid);
    process.kill(pid, "SIGKILL");
    expect((await finished).signal).toBe("SIGKILL");
    expect(readText(join(sandbox.work, "got"))).toBe("SIGINT\nSIGINT\nSIGUSR1\n");
    expect(readText(`/proc/${witness}/stat`)).toBe("");
  });

  it("reaches a command that has left the group, whoever else gets it", async () => {
    const sandbox = new Sandbox();
    const { child, finished } = sandbox.startGroup(["run", "--", "setsid", "sh", "-c", "echo $$ > pid; exec sleep 60"]);
    await eventually(() => readNumber(join(sandbox.work, "pid")) && witnessOf(child.pid));
    process.kill(-(child.pid as number), "SIGTERM");
    expect((await finished).signal).toBe("SIGTERM");
  });

  it("is CONT again after the group was stopped and went on", async () => {
    const sandbox = new Sandbox();
    const script = "trap 'echo cont >> got' CONT; echo $$ > pid; until [ -e go ]; do sleep 0.1; done";
    const { child, finished } = sandbox.startGroup(["run", "--", "sh", "-c", script]);
    const pid = await eventually(() => readNumber(join(sandbox.work, "pid")));
    await eventually(() => witnessOf(child.pid));
    process.kill(-(child.pid as number), "SIGSTOP");
    await eventually(() => isStopped(child.pid) && isStopped(pid));
    process.kill(-(child.pid as number), "SIGCONT");
    await eventually(() => readText(join(sandbox.work, "got")) !== "");
    const before = readText(join(sandbox.work, "got"));
    await eventually(() => !isStopped(child.pid));
    child.kill("SIGCONT");
    await eventually(() => readText(join(sandbox.work, "got")).length > before.length);
    writeFileSync(join(sandbox.work, "go"), "");
    await finished;
  });

  it("finds toolout without a descriptor for its witness, which is no trouble of the command's", async () => {
    const ended = await new Sandbox().bash(
      "for n in 22 23 24 25 26; do (ulimit -n $n; toolout run -- sh -c 'sleep 0.3; echo ok'; true); done",
    );
    for (const line of ended.stderr.split("\n")) expect(line).toMatch(/^(toolout: .*)?$/);
    expect(ended.stdout.toString()).toMatch(/^(ok\n)+$/);
  });

  it("ends pipe by USR1, which would start Node's debugger", async () => {
    const sandbox = new Sandbox();
    const line = "sleep 60 | { toolout pipe & echo $! > pid; wait $!; echo $? > status; }";
    void sandbox.bash(line);
    const pid = await eventually(() => readNumber(join(sandbox.work, "pid")));
    await eventually(() => catches(pid, 25)); // Node's own handlers are there before; that of XFSZ is toolout's
    process.kill(pid, "SIGUSR1");
    expect(await eventually(() => readText(join(sandbox.work, "status")))).toBe("138\n");
  });

  it("leaves no room for a descendant that escaped and holds the output", async () => {
    const sandbox = new Sandbox();
    const script = "setsid sh -c 'echo $$ > escaped; exec sleep 60' & seq 3000; echo $$ > pid; exec sleep 60";
    const { child, finished } = sandbox.start(["run", "--", "sh", "-c", script]);
    await eventually(() => readNumber(join(sandbox.work, "pid")));
    const escaped = await eventually(() => readNumber(join(sandbox.work, "escaped")));
    child.kill("SIGTERM");
    const ended = await finished;
    expect(isRunning(escaped)).toBe(true);
    process.kill(escaped, "SIGKILL");
    expect(ended.signal).toBe("SIGTERM");
    expect(ended.stdout.toString().endsWith("\n3000\n")).toBe(true);
  });

  it.each(["SIGSYS", "SIGABRT", "SIGTRAP", "SIGXCPU"] as const)(
    "ends a command that dumps core by it: %s",
    async (name) => {
      const sandbox = new Sandbox();
      const { child, finished } = sandbox.start(["run", "--", "sh", "-c", "ulimit -c 0; echo $$ > pid; exec sleep 60"]);
      await eventually(() => readNumber(join(sandbox.work, "pid")));
      child.kill(name);
      expect(await finished).toMatchObject({ status: 128 + constants.signals[name], signal: null });
    },
  );

  it.each(["SIGTSTP", "SIGTTIN", "SIGTTOU"] as const)("stops both, and lets both go on: %s", async (name) => {
    const sandbox = new Sandbox();
    // A group of its own with a parent in another one: the kernel stops nothing in an orphaned group (setpgid(2)). The
    // parent waits without a loop of its own, which bash leaves when a job of its is stopped by TSTP.
    const line = `set -m; toolout run -- sh -c 'echo $$ > pid; until [ -e go ]; do sleep 0.1; done; exit 8' & echo $! > own
      sh -c 'until [ -e go ]; do sleep 0.1; done'; wait $!`;
    const finished = sandbox.bash(line);
    const pid = await eventually(() => readNumber(join(sandbox.work, "pid")));
    const own = await eventually(() => readNumber(join(sandbox.work, "own")));
    process.kill(own, name);
    await eventually(() => isStopped(own) && isStopped(pid));
    process.kill(own, "SIGCONT");
    await eventually(() => !isStopped(own) && !isStopped(pid));
    writeFileSync(join(sandbox.work, "go"), "");
    expect((await finished).status).toBe(8);
  });

  it("lets pipe print and store what came", async () => {
    const sandbox = new Sandbox();
    const started = sandbox.bash(
      "{ seq 3000; touch ready; sleep 60; } | { toolout pipe & echo $! > pid; wait $!; echo $? > status; }",
    );
    await eventually(() => readText(join(sandbox.work, "pid")) && sandbox.list(sandbox.work).includes("ready"));
    await eventually(() => sandbox.list(sandbox.managed).length > 0);
    process.kill(readNumber(join(sandbox.work, "pid")), "SIGTERM");
    await eventually(() => readText(join(sandbox.work, "status")) === "143\n");
    expect(sandbox.payloads().map(String)).toEqual([seq(3000)]);
    void started.catch(() => {});
  });
});

describe("the time limit", () => {
  it("ends the whole tree, keeps what was printed, and is status 124", async () => {
    const sandbox = new Sandbox();
    const script = "sleep 60 & a=$!; (sleep 60 & echo $! > orphan) ; echo $$ $a > pids; seq 3000; wait";
    const ended = await sandbox.run(["run", "--timeout", "3s", "--", "sh", "-c", script]);
    const pids = `${readText(join(sandbox.work, "pids"))} ${readText(join(sandbox.work, "orphan"))}`
      .trim()
      .split(/\s+/);
    expect(ended.status).toBe(124);
    expect(ended.stderr).toBe("toolout: the command timed out after 3s\n");
    expect(ended.stdout.toString().endsWith("\n3000\n")).toBe(true);
    expect(sandbox.payloads().map(String)).toEqual([seq(3000)]);
    expect(pids.length).toBe(3);
    for (const pid of pids) await eventually(() => !isRunning(Number(pid)));
  });

  it("kills what ignores TERM", async () => {
    const script = "trap '' TERM; echo begun; while :; do sleep 0.2; done";
    const ended = await new Sandbox().run([
      "run",
      "--timeout",
      "2s",
      "--kill-after",
      "500ms",
      "--",
      "sh",
      "-c",
      script,
    ]);
    expect(ended.status).toBe(124);
    expect(ended.stdout.toString()).toBe("begun\n");
  });

  it("is told in JSON, with half a character as base64", async () => {
    const script = "printf 'a\\342\\202'; exec sleep 60";
    const ended = await new Sandbox().run(["run", "--json", "--timeout", "2s", "--", "sh", "-c", script]);
    const document = JSON.parse(ended.stdout.toString());
    expect(ended.status).toBe(124);
    expect(document).toMatchObject({ timedOut: true, exitCode: null, signal: "SIGTERM" });
    expect(document.stdout).toMatchObject({ content: "YeKC", encoding: "base64", bytes: 3 });
  });
});
