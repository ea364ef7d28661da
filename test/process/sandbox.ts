/** A place of its own for each test: HOME, XDG directories and TMPDIR are empty, and nothing of it outlives the test. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";

export const program = resolve("bin/toolout.js");
export const uriPattern = /tool-output:\/\/[0-9a-f]{12}[0-9A-Za-z]{14}/;

export interface Finished {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface StartOptions {
  readonly input?: string | Buffer;
  readonly env?: Record<string, string | undefined>;
  readonly stdio?: SpawnOptions["stdio"];
  readonly detached?: boolean;
  /** What `"$@"` stands for in a shell line. */
  readonly args?: readonly string[];
}

export interface Started {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
}

export class Sandbox {
  readonly directory = mkdtempSync(join(tmpdir(), "toolout-test-"));
  readonly env: Record<string, string>;

  constructor() {
    const at = (name: string) => join(this.directory, name);
    const inherited = Object.entries(process.env).filter(
      ([key]) => !/^(TOOLOUT_|XDG_|NODE_EXTRA_CA_CERTS|.*COLOR)/.test(key),
    );
    this.env = {
      ...(Object.fromEntries(inherited) as Record<string, string>),
      ...{ HOME: at("home"), XDG_DATA_HOME: at("data"), XDG_CONFIG_HOME: at("config"), TMPDIR: at("tmp") },
      PATH: `${at("bin")}:${process.env["PATH"]}`,
    };
    for (const name of ["home", "data", "config", "tmp", "bin", "work"]) mkdirSync(at(name));
    this.#putOnPath();
    onTestFinished(() => rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 }));
  }

  /** Starts toolout; its process is ended with the test, whatever happens. */
  start(args: readonly string[], options: StartOptions = {}): Started {
    return this.#start(process.execPath, [program, ...args], options);
  }

  /** The same as the leader of a process group, which a negative process number then names. */
  startGroup(args: readonly string[], options: StartOptions = {}): Started {
    return this.#start(process.execPath, [program, ...args], { ...options, detached: true });
  }

  run(args: readonly string[], options: StartOptions = {}): Promise<Finished> {
    return this.start(args, options).finished;
  }

  /** Runs a shell line in which `toolout` is on PATH. */
  bash(line: string, options: StartOptions = {}): Promise<Finished> {
    return this.#start("bash", ["-c", line, "bash", ...(options.args ?? [])], options).finished;
  }

  /** A shell line whose shell leads a process group, which a negative process number then names. */
  startShellGroup(line: string): Started {
    return this.#start("bash", ["-c", line], { detached: true });
  }

  /** Copies the built program into the sandbox, for tests that tamper with it; the path to run. */
  copyProgram(): string {
    const to = join(this.directory, "copy");
    for (const name of ["bin/toolout.js", "dist", "package.json"]) cpSync(name, join(to, name), { recursive: true });
    return join(to, "bin", "toolout.js");
  }

  get work(): string {
    return join(this.directory, "work");
  }

  get managed(): string {
    return join(this.directory, "data", "toolout", "managed");
  }

  /** Payloads of the store, in the order of their ids. */
  payloads(): Buffer[] {
    return this.list(this.managed)
      .filter((name) => name.endsWith(".txt"))
      .map((name) => readFileSync(join(this.managed, name)));
  }

  list(directory: string): string[] {
    try {
      return readdirSync(directory).sort();
    } catch {
      return [];
    }
  }

  #start(
    file: string,
    args: readonly string[],
    { input, env, stdio = "pipe", detached = false }: StartOptions,
  ): Started {
    const child = spawn(file, args, { cwd: this.work, env: { ...this.env, ...env }, stdio, detached });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    const [out, err] = [[] as Buffer[], [] as Buffer[]];
    child.stdout?.on("data", (bytes: Buffer) => out.push(bytes));
    child.stderr?.on("data", (bytes: Buffer) => err.push(bytes));
    child.stdin?.on("error", () => {}); // a command that does not read its input
    child.stdin?.end(input ?? "");
    const finished = new Promise<Finished>((done, fail) => {
      child.on("error", fail);
      child.on("close", (status, signal) => {
        done({ status, signal, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() });
      });
    });
    return { child, finished };
  }

  /** By links and not by a script: some shells drop variables whose names they could not use. */
  #putOnPath(): void {
    symlinkSync(program, join(this.directory, "bin", "toolout"));
    symlinkSync(process.execPath, join(this.directory, "bin", "node"));
  }
}

/** Waits until the condition gives something; fails after a long time. */
export async function eventually<T>(look: () => T | undefined | false | null, seconds = 30): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const found = look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error("it did not happen");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A process that runs, and is not a zombie. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

export function seq(last: number, first = 1): string {
  return Array.from({ length: last - first + 1 }, (_, i) => `${first + i}\n`).join("");
}
