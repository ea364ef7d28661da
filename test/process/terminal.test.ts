/** What a person at a terminal sees of a command, the same with toolout in front of it as without. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually, isRunning, Sandbox } from "./sandbox.ts";
import { hasTerminal, Terminal } from "./terminal.ts";

/** Each row runs on both sides with the same expectations. */
const sides = [
  ["bare", ""],
  ["wrapped", "toolout run -- "],
] as const;

/** Notes the signals it gets in the file `got`, and ends with status 9 at TERM; its number is in the file `pid`. */
const counter = `
  const fs = require("fs");
  for (const name of ["SIGINT", "SIGQUIT", "SIGHUP", "SIGUSR1", "SIGWINCH", "SIGCONT"])
    process.on(name, () => fs.appendFileSync("got", name + " "));
  process.on("SIGTERM", () => process.exit(9));
  setInterval(() => {}, 1000);
  fs.writeFileSync("parent", String(process.ppid));
  fs.writeFileSync("pid", String(process.pid));
  fs.writeSync(1, "ready\\n");
`;

function at(sandbox: Sandbox, name: string): string {
  return join(sandbox.work, name);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function openShell(sandbox: Sandbox): Terminal {
  return new Terminal(sandbox, ["bash", "--norc", "--noprofile", "--noediting", "-i"]);
}

function openScript(sandbox: Sandbox, script: string, shell = "sh"): Terminal {
  return new Terminal(sandbox, [shell, "-c", script]);
}

/** State T of proc(5). */
function isStopped(pid: number): boolean {
  return /^State:\tT/m.test(readText(`/proc/${pid}/status`));
}

function writeCounter(sandbox: Sandbox): string {
  writeFileSync(at(sandbox, "counter.js"), counter);
  return `'${process.execPath}' counter.js`;
}

/** The command `counter`, and the process that the terminal's user sees as it: itself, or toolout before it. */
async function counterPids(sandbox: Sandbox, run: string) {
  const pid = await eventually(() => Number(readText(at(sandbox, "pid"))));
  onTestFinished(() => kill(pid));
  return { pid, seen: run === "" ? pid : Number(readText(at(sandbox, "parent"))) };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {} // it has ended
}

/** Without its witness (group-witness.ts) toolout cannot know who else got a signal; in its first moments it has none. */
async function hasWitness(run: string, toolout: number): Promise<void> {
  if (run === "") return;
  const isWitness = (pid: string) =>
    readText(`/proc/${pid}/stat`).replace(/^\d+ /, "").startsWith(`(cat) S ${toolout} `);
  await eventually(() => readdirSync("/proc").some(isWitness));
}

/**
 * The signals `counter` has got, USR1 last: what was sent to toolout before it would have been handed on before it, so
 * a signal that comes twice is there twice.
 */
async function gotUntilNow(sandbox: Sandbox, seen: number, first: string): Promise<string> {
  const got = () => readText(at(sandbox, "got"));
  await eventually(() => got().includes(first));
  process.kill(seen, "SIGUSR1");
  await eventually(() => got().endsWith("SIGUSR1 "));
  return got().trim();
}

const skipped = hasTerminal ? "" : " (skipped: there is no script(1) of util-linux)";

describe.skipIf(!hasTerminal).each(sides)(`at a terminal, %s${skipped}:`, (_, run) => {
  describe("^C", () => {
    it("ends a command, and the shell sees 130", async () => {
      const terminal = openShell(new Sandbox());
      await terminal.enter(`${run}sh -c 'echo ready; exec sleep 60'; echo "status $?"`);
      await terminal.shows("\nready\n");
      terminal.press("^C");
      await terminal.enter('echo "then $?"');
      await terminal.shows("\nthen 130\n");
      expect(terminal.screen).not.toMatch(/^status/m);
      await terminal.enter("exit 4");
      expect(await terminal.ended()).toBe(4);
    });

    it.each([
      ["sh", "while :; do"],
      ["bash", "while :; do"],
      ["sh", "for i in 1 2 3; do"],
      ["bash", "for i in 1 2 3; do"],
    ])("ends a loop of %s at once: %s", async (shell, loop) => {
      const body = `echo turn; ${run}sh -c 'echo ready; exec sleep 60'`;
      const terminal = openScript(new Sandbox(), `${loop} ${body}; done; echo after`, shell);
      await terminal.shows("ready\n");
      terminal.press("^C");
      expect(await terminal.ended()).toBe(130);
      expect(terminal.screen.match(/turn|after/g)).toEqual(["turn"]);
    });

    it("ends a loop at the prompt, and leaves the shell", async () => {
      const terminal = openShell(new Sandbox());
      await terminal.enter(`for i in 1 2 3; do echo "turn $i"; ${run}sh -c 'echo ready; exec sleep 60'; done`);
      await terminal.shows("\nready\n");
      terminal.press("^C");
      await terminal.enter('echo "then $?"; exit 4');
      await terminal.shows("\nthen 130\n");
      expect(await terminal.ended()).toBe(4);
      expect(terminal.screen).not.toContain("turn 2");
    });

    it("reaches a command that catches it, once", async () => {
      const sandbox = new Sandbox();
      const terminal = openScript(sandbox, `trap : INT; ${run}${writeCounter(sandbox)}; echo "status $?"`);
      await terminal.shows("ready\n");
      const { pid, seen } = await counterPids(sandbox, run);
      terminal.press("^C");
      expect(await gotUntilNow(sandbox, seen, "SIGINT")).toBe("SIGINT SIGUSR1");
      process.kill(pid, "SIGTERM");
      await terminal.shows("status 9\n");
    });

    it("lets a command print its last words and choose its status", async () => {
      const script = `trap 'echo last words; exit 6' INT; echo ready; read -r line`;
      const terminal = openScript(
        new Sandbox(),
        `trap : INT; ${run}sh -c '${script.replaceAll("'", "'\\''")}'; exit $?`,
      );
      await terminal.shows("ready\n");
      terminal.press("^C");
      await terminal.shows("last words\n");
      expect(await terminal.ended()).toBe(6);
    });

    it("does not end a command that ignores it, pressed twice", async () => {
      const script = `trap "" INT; echo ready; read -r line; echo "got $line"; exit 5`;
      const terminal = openScript(new Sandbox(), `trap : INT; ${run}sh -c '${script}'; exit $?`);
      await terminal.shows("ready\n");
      terminal.press("^C");
      terminal.press("^C");
      terminal.type("text\n"); // ^C drops what was typed before it only
      await terminal.shows("got text\n");
      expect(await terminal.ended()).toBe(5);
    });
  });

  describe("^\\", () => {
    it("ends a command, and the shell sees 131", async () => {
      const terminal = openScript(
        new Sandbox(),
        `ulimit -c 0; trap : QUIT; ${run}sh -c 'echo ready; exec sleep 60'; echo "status $?"`,
      );
      await terminal.shows("ready\n");
      terminal.press("^\\");
      await terminal.shows("status 131\n");
    });

    it("reaches a command that catches it, once", async () => {
      const sandbox = new Sandbox();
      const terminal = openScript(sandbox, `trap : QUIT; ${run}${writeCounter(sandbox)}; echo "status $?"`);
      await terminal.shows("ready\n");
      const { pid, seen } = await counterPids(sandbox, run);
      terminal.press("^\\");
      expect(await gotUntilNow(sandbox, seen, "SIGQUIT")).toBe("SIGQUIT SIGUSR1");
      process.kill(pid, "SIGTERM");
      await terminal.shows("status 9\n");
    });
  });

  describe("^Z", () => {
    /** Says its number, waits for a file, and ends with what it prints and a status of its own. */
    const waiter = "echo $$ > pid; echo ready; until [ -e go ]; do sleep 0.05; done; echo done; exit 7";

    async function stopWaiter(sandbox: Sandbox) {
      const terminal = openShell(sandbox);
      await terminal.enter(`${run}sh -c '${waiter}'`);
      await terminal.shows("\nready\n");
      terminal.press("^Z");
      await terminal.shows("Stopped");
      const pid = Number(readText(at(sandbox, "pid")));
      await eventually(() => isStopped(pid));
      return { terminal, pid };
    }

    it("stops the command, and fg lets it go on to its end", async () => {
      const sandbox = new Sandbox();
      const { terminal, pid } = await stopWaiter(sandbox);
      await terminal.enter('fg; echo "status $?"; exit 4');
      await eventually(() => !isStopped(pid));
      writeFileSync(at(sandbox, "go"), "");
      await terminal.shows("\ndone\nstatus 7\n");
      expect(await terminal.ended()).toBe(4);
    });

    it("stops the command, and bg lets it go on to its end", async () => {
      const sandbox = new Sandbox();
      const { terminal, pid } = await stopWaiter(sandbox);
      await terminal.enter("bg");
      await eventually(() => !isStopped(pid));
      await terminal.enter('wait %1; echo "status $?"; exit 4');
      writeFileSync(at(sandbox, "go"), "");
      await terminal.shows("\ndone\n");
      await terminal.shows("status 7\n");
      expect(await terminal.ended()).toBe(4);
    });

    it("can be pressed again after fg", async () => {
      const sandbox = new Sandbox();
      const { terminal, pid } = await stopWaiter(sandbox);
      await terminal.enter("fg");
      await eventually(() => !isStopped(pid));
      terminal.press("^Z");
      await terminal.shows("Stopped");
      await eventually(() => isStopped(pid));
      writeFileSync(at(sandbox, "go"), "");
      await terminal.enter('fg; echo "status $?"; exit 4');
      await terminal.shows("\ndone\nstatus 7\n");
      expect(await terminal.ended()).toBe(4);
    });

    it("is status 148 to the shell", async () => {
      const { terminal } = await stopWaiter(new Sandbox());
      await terminal.enter('echo "status $?"; kill -KILL %1; wait; exit 4');
      await terminal.shows("status 148\n");
    });

    it("stops a command that reads the terminal, which reads on after fg", async () => {
      const terminal = openShell(new Sandbox());
      await terminal.enter(`${run}sh -c 'echo ready; read -r line; echo "got $line"; exit 7'`);
      await terminal.shows("\nready\n");
      terminal.press("^Z");
      await terminal.shows("Stopped");
      await terminal.enter('echo "at the prompt"; fg; echo "status $?"; exit 4');
      await terminal.shows("\nat the prompt\n");
      await terminal.shows("got $line"); // fg shows the command line
      terminal.type("text\n");
      await terminal.shows("got text\nstatus 7\n");
      expect(await terminal.ended()).toBe(4);
    });

    it("is left to a command that catches it", async () => {
      const sandbox = new Sandbox();
      const script = `trap "echo caught" TSTP; echo ready; read -r a; echo "a $a"; read -r b; echo "b $b"`;
      writeFileSync(at(sandbox, "script"), script);
      const terminal = openShell(sandbox);
      await terminal.enter(`${run}sh script; echo "status $?"; exit 4`);
      await terminal.shows("\nready\n");
      terminal.press("^Z");
      terminal.type("one\n");
      await terminal.shows("caught\n");
      terminal.type("two\n");
      await terminal.shows("status 0\n");
      expect(await terminal.ended()).toBe(4);
      expect(terminal.screen).not.toContain("Stopped");
    });

    it("is not the only way: a command can stop itself", async () => {
      const terminal = openShell(new Sandbox());
      await terminal.enter(`${run}sh -c 'kill -TSTP $$; echo resumed; kill -STOP $$; exit 7'`);
      await terminal.shows("Stopped");
      await terminal.enter("fg");
      await terminal.shows("\nresumed\n");
      await terminal.shows("Stopped");
      await terminal.enter('fg; echo "status $?"; exit 4');
      await terminal.shows("status 7\n");
      expect(await terminal.ended()).toBe(4);
    });

    it("stops nothing where no shell has job control", async () => {
      const script = 'echo ready; read -r line; echo "got $line"; exit 5';
      const terminal = openScript(new Sandbox(), `${run}sh -c '${script}'; exit $?`);
      await terminal.shows("ready\n");
      terminal.press("^Z");
      terminal.type("text\n");
      await terminal.shows("got text\n");
      expect(await terminal.ended()).toBe(5);
    });
  });

  describe("the terminal", () => {
    it("is the command's stdin", async () => {
      const terminal = openScript(new Sandbox(), `${run}sh -c 'test -t 0 && tty > command'; tty | cmp - command`);
      expect(await terminal.ended()).toBe(0);
    });

    it("is read and written by name", async () => {
      const sandbox = new Sandbox();
      const script = `read -r line < /dev/tty; echo "got $line" > /dev/tty`;
      const terminal = openScript(sandbox, `${run}sh -c '${script}' < /dev/null > out 2>&1; exit $?`);
      terminal.type("text\n");
      await terminal.shows("\ngot text\n");
      expect(await terminal.ended()).toBe(0);
      expect(readText(at(sandbox, "out"))).toBe("");
    });

    it("gives the command the lines typed, ^D as the end, and the rest to the next reader", async () => {
      const terminal = openScript(
        new Sandbox(),
        `stty -echo; echo ready
        ${run}sh -c 'read -r line; echo "one $line"'
        ${run}cat
        read -r line; echo "three $line"
        ${run}head -n 1`,
      );
      await terminal.shows("ready\n");
      terminal.type("a\nb\n");
      await terminal.shows("one a\nb\n");
      terminal.press("^D");
      terminal.type("c\nd\ne\n");
      expect(await terminal.ended()).toBe(0);
      expect(terminal.screen).toBe("ready\none a\nb\nthree c\nd\n");
    });

    it("is asked for a password without an echo", async () => {
      const script =
        'stty -echo; printf "Password: "; read -r word; stty echo; echo "${#word} characters"; read -r line';
      const terminal = openScript(new Sandbox(), `${run}sh -c '${script}'`);
      await terminal.shows("Password: ");
      terminal.type("hunter2\n");
      await terminal.shows("7 characters\n");
      terminal.type("shown\n");
      await terminal.shows("shown\n");
      expect(await terminal.ended()).toBe(0);
      expect(terminal.screen).toBe("Password: 7 characters\nshown\n");
    });

    it.each([
      ["has ended", "stty raw -echo; exit 3", 3],
      ["died of a signal", "stty raw -echo; kill -TERM $$", 143],
      ["died of a fault", "stty raw -echo; ulimit -c 0; kill -SEGV $$", 139],
    ])("keeps the modes of a command that %s", async (_, script, status) => {
      const terminal = openScript(
        new Sandbox(),
        `${run}sh -c '${script}'; echo "status $?"; stty -a | grep -ow -e '-*icanon' -e '-*echo' -e '-*opost'`,
      );
      expect(await terminal.ended()).toBe(0);
      expect(terminal.screen.split(/\s+/).filter((word) => /^-|^\d/.test(word))).toEqual([
        `${status}`,
        ...["-opost", "-icanon", "-echo"],
      ]);
    });

    it("passes single keys to a command that wants them", async () => {
      const script = "stty -icanon -echo min 1; echo ready; dd bs=1 count=3 2>/dev/null | od -An -c; stty icanon echo";
      const terminal = openScript(new Sandbox(), `${run}sh -c '${script}'`);
      await terminal.shows("ready\n");
      terminal.type("a\x04\n"); // not at their usual meaning: ^D is a byte
      await terminal.shows("   a 004  \\n\n");
      expect(await terminal.ended()).toBe(0);
    });

    it("has the size of the window, and tells the command once when it changes", async () => {
      const sandbox = new Sandbox();
      const terminal = openScript(
        sandbox,
        `stty rows 33 columns 77; ${run}sh -c 'stty size; exec ${writeCounter(sandbox).replaceAll("'", "")}'; stty size`,
      );
      await terminal.shows("33 77\nready\n");
      const { pid, seen } = await counterPids(sandbox, run);
      terminal.resize(40);
      expect(await gotUntilNow(sandbox, seen, "SIGWINCH")).toBe("SIGWINCH SIGUSR1");
      process.kill(pid, "SIGTERM");
      await terminal.shows("40 77\n");
    });
  });

  describe("a command in the background", () => {
    it("stops when it reads the terminal, and reads it after fg", async () => {
      const sandbox = new Sandbox();
      const terminal = openShell(sandbox);
      await terminal.enter(`${run}cat & echo $! > pid`);
      await eventually(() => isStopped(Number(readText(at(sandbox, "pid")))));
      await terminal.enter("jobs");
      await terminal.shows("Stopped");
      await terminal.enter('fg; echo "status $?"; exit 4');
      terminal.type("text\n");
      await terminal.shows("\ntext\n");
      terminal.press("^D");
      await terminal.shows("status 0\n");
      expect(await terminal.ended()).toBe(4);
    });

    it("does not get ^C", async () => {
      const sandbox = new Sandbox();
      const terminal = openShell(sandbox);
      await terminal.enter(`${run}${writeCounter(sandbox)} &`);
      const { pid, seen } = await counterPids(sandbox, run);
      await terminal.prompts();
      terminal.press("^C");
      await terminal.enter('echo "status $?"');
      await terminal.shows("status 130\n");
      expect(await gotUntilNow(sandbox, seen, "")).toBe("SIGUSR1");
      process.kill(pid, "SIGTERM");
      await terminal.enter('wait $!; echo "status $?"; exit 4');
      await terminal.shows("status 9\n");
      expect(await terminal.ended()).toBe(4);
    });
  });

  it.each(["SIGINT", "SIGQUIT"] as const)(
    "a signal sent to it alone reaches a foreground command, once: %s",
    async (name) => {
      const sandbox = new Sandbox();
      const terminal = openScript(sandbox, `${run}${writeCounter(sandbox)}; echo "status $?"`);
      await terminal.shows("ready\n");
      const { pid, seen } = await counterPids(sandbox, run);
      await hasWitness(run, seen);
      process.kill(seen, name);
      expect(await gotUntilNow(sandbox, seen, name)).toBe(`${name} SIGUSR1`);
      process.kill(pid, "SIGTERM");
      await terminal.shows("status 9\n");
    },
  );

  describe("the end of the terminal", () => {
    /** Who leads the session, and so gets HUP first; the command's status is in the file `status`. */
    const leaders = [
      ["the session's leader", (command: string) => `exec ${command}`],
      ["a foreground job of it", (command: string) => `${command}; true`],
    ] as const;

    it.each(leaders)("ends a command by HUP that is %s", async (_, line) => {
      const sandbox = new Sandbox();
      const terminal = openScript(
        sandbox,
        line(`${run}sh -c 'echo $$ > pid; echo $PPID > parent; echo ready; exec sleep 60'`),
      );
      await terminal.shows("ready\n");
      const { pid, seen } = await counterPids(sandbox, run);
      terminal.hangUp();
      await eventually(() => !isRunning(pid) && !isRunning(seen));
    });

    it("is status 129 to a shell that outlives it", async () => {
      const sandbox = new Sandbox();
      const middle = `trap : HUP; ${run}sh -c "echo ready; exec sleep 60"; echo $? > status`;
      const terminal = openScript(sandbox, `sh -c '${middle}'; true`);
      await terminal.shows("ready\n");
      terminal.hangUp();
      await eventually(() => readText(at(sandbox, "status")) === "129\n");
    });

    it.each(leaders)("reaches a command that catches it, once, and is %s", async (_, line) => {
      const sandbox = new Sandbox();
      const terminal = openScript(sandbox, line(`${run}${writeCounter(sandbox)}`));
      await terminal.shows("ready\n");
      const { pid, seen } = await counterPids(sandbox, run);
      await hasWitness(run, seen);
      terminal.hangUp();
      const got = await gotUntilNow(sandbox, seen, "SIGHUP");
      expect(got.replaceAll("SIGCONT ", "")).toBe("SIGHUP SIGUSR1"); // the leader gets CONT too (tty_signal_session_leader)
      process.kill(pid, "SIGTERM");
      await eventually(() => !isRunning(pid) && !isRunning(seen));
    });
  });
});
