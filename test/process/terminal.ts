/**
 * A real terminal for tests: script(1) of util-linux makes a pty and runs a program on it as its session leader. What is
 * typed goes in through a pipe, what the screen would show comes out; nothing waits for a fixed time.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { eventually, type Sandbox } from "./sandbox.ts";

/** Other systems' script(1) has no `-e`, and some images have none at all. */
export const hasTerminal = spawnSync("script", ["-qec", "exit 7", "/dev/null"], { stdio: "ignore" }).status === 7;

/** What the keys send in the terminal's usual setting (stty(1): intr, quit, susp, eof). */
const keys = { "^C": "\x03", "^D": "\x04", "^Z": "\x1a", "^\\": "\x1c" } as const;

const prompt = "at the prompt> ";

export class Terminal {
  readonly #sandbox: Sandbox;
  readonly #script: ChildProcess;
  readonly #ended: Promise<number | null>;
  #screen = "";
  #seen = 0;
  #isClosed = false;

  /** Runs the program on a new terminal, in the sandbox's directory. */
  constructor(sandbox: Sandbox, program: readonly string[]) {
    this.#sandbox = sandbox;
    const line = `tty > ../terminal; exec ${program.map(quoteForShell).join(" ")}`;
    const env = { ...sandbox.env, SHELL: "/bin/sh", TERM: "dumb", LC_ALL: "C", PS1: prompt };
    this.#script = spawn("script", ["-qec", line, "/dev/null"], { cwd: sandbox.work, env, stdio: "pipe" });
    this.#script.stdin?.on("error", () => {}); // the program has ended
    this.#script.stdout?.on("data", (bytes: Buffer) => {
      this.#screen += bytes.toString("latin1").replaceAll("\r", "");
    });
    this.#ended = new Promise((resolve) => {
      this.#script.on("close", (status) => {
        this.#isClosed = true;
        resolve(status);
      });
    });
    onTestFinished(() => this.hangUp());
  }

  /** All that the terminal has shown, typed text included; every line ends at a line feed. */
  get screen(): string {
    return this.#screen;
  }

  type(text: string): void {
    this.#script.stdin?.write(text);
  }

  /** Waits until an interactive shell asks for the next line. */
  prompts(): Promise<void> {
    return this.shows(prompt);
  }

  /** Types a line at an interactive shell's prompt. */
  async enter(line: string): Promise<void> {
    await this.prompts();
    this.type(`${line}\n`);
  }

  press(key: keyof typeof keys): void {
    this.type(keys[key]);
  }

  /** Waits until the text is shown after what an earlier call waited for. */
  async shows(text: string): Promise<void> {
    await this.#eventually(`it did not show ${JSON.stringify(text)}`, () => {
      const at = this.#screen.indexOf(text, this.#seen);
      if (at !== -1) this.#seen = at + text.length;
      return at !== -1;
    });
  }

  /** Waits for the end of the program; its status as a shell tells it: 128 + n for death by a signal. */
  async ended(): Promise<number | null> {
    await this.#eventually("it did not end", () => this.#isClosed);
    return this.#ended;
  }

  /** Changes the height of the window, as a terminal emulator does; stty(1) would set height and width one after the other. */
  resize(rows: number): void {
    const name = readFileSync(join(this.#sandbox.directory, "terminal"), "utf8").trim();
    const { status } = spawnSync("stty", ["-F", name, "rows", `${rows}`], { stdio: "ignore" });
    if (status !== 0) throw new Error(`stty cannot set the size of ${name}`);
  }

  /** Closes the terminal under the program, as when its window is closed. */
  hangUp(): void {
    this.#script.kill("SIGKILL");
  }

  async #eventually(failure: string, look: () => boolean): Promise<void> {
    await eventually(look).catch(() => {
      throw new Error(`${failure}; the screen:\n${this.#screen}`);
    });
  }
}

function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
