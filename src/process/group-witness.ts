/**
 * A signal that was sent to toolout's whole process group (by its terminal, `kill -- -GROUP`, timeout(1)) has reached the
 * command already, and a handler cannot tell it from one that was sent to toolout alone. A small process of the same
 * group, whose signals have their default effect, can: what was sent to all has ended or stopped it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { constants } from "node:os";

/** Commands that end sooner have none: it would cost more than it is worth. */
const startAfterMs = 100;
/** timeout(1) signals toolout first and the group right after. */
const settleMs = 5;
/** The witness can be dead, and that be known, before toolout gets to handle its own signal. */
const recentMs = 50;

export class GroupWitness {
  #process: ChildProcess | undefined;
  #lastDeath: { readonly signal: NodeJS.Signals; readonly atMs: number } | undefined;
  #closing: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setTimeout(() => this.#start(), startAfterMs).unref();
  }

  /** Whether the signal that has just come was sent to all of the group; undefined when there is nobody to ask. */
  async hasReceived(signal: NodeJS.Signals): Promise<boolean | undefined> {
    const child = this.#process;
    if (this.#hasDiedOf(signal) || (child !== undefined && tellsReceipt(statusOf(child), signal))) return true;
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    if (this.#hasDiedOf(signal)) return true;
    return child === undefined ? undefined : tellsReceipt(statusOf(child), signal);
  }

  #hasDiedOf(signal: NodeJS.Signals): boolean {
    return this.#lastDeath?.signal === signal && performance.now() - this.#lastDeath.atMs < recentMs;
  }

  /** It was stopped with the group, of which others go on now. */
  resume(): void {
    this.#process?.kill("SIGCONT");
  }

  /** Resolves when the process is gone: process 1 of a container may not care for what is left behind. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    const child = this.#process;
    if (child === undefined || hasEnded(child)) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.ref();
    child.kill("SIGKILL");
    await gone;
  }

  /** It reads from toolout, so that it ends with it, whatever toolout ends of; it leaves no core (SIGQUIT). */
  #start(): void {
    const child = spawn("/bin/sh", ["-c", "ulimit -c 0; exec cat"], { env: {}, stdio: ["pipe", "ignore", "ignore"] });
    child.on("error", () => {}); // no process to be had: nobody to ask
    child.stdin.on("error", () => {});
    if (child.pid === undefined) return;
    child.unref();
    (child.stdin as Socket).unref();
    child.once("exit", () => {
      this.#process = undefined;
      if (child.signalCode === null || this.#closing !== undefined) return; // no cat, or the end
      this.#lastDeath = { signal: child.signalCode, atMs: performance.now() };
      this.#start();
    });
    this.#process = child;
  }
}

/** What /proc/PID/status says of a witness (proc(5)); the kernel marks a process before it gets to act on a signal. */
export function tellsReceipt(status: string, signal: NodeJS.Signals): boolean {
  const state = /^State:\t(.)/m.exec(status)?.[1] ?? "X";
  if ("ZX".includes(state)) return true;
  if (signal === "SIGCONT") return state !== "T";
  if (signal === "SIGTSTP" && state === "T") return true;
  const pending = ["SigPnd", "ShdPnd"].map((name) =>
    BigInt(`0x${new RegExp(`^${name}:\t([0-9a-f]+)`, "m").exec(status)?.[1] ?? 0}`),
  );
  const bits = [constants.signals[signal], constants.signals.SIGKILL].map((number) => 1n << BigInt(number - 1));
  return pending.some((set) => bits.some((bit) => (set & bit) !== 0n));
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Empty once it is gone. */
function statusOf(child: ChildProcess): string {
  if (hasEnded(child)) return "";
  try {
    return readFileSync(`/proc/${child.pid}/status`, "latin1");
  } catch {
    return "";
  }
}
