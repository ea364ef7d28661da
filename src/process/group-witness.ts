/**
 * A signal that was sent to toolout's whole process group (by its terminal, `kill -- -GROUP`, timeout(1)) has reached the
 * command already, and a handler cannot tell it from one that was sent to toolout alone. A small process of the same
 * group, whose signals have their default effect, can: what was sent to all has ended or stopped it.
 */
import type { ChildProcess, SpawnOptions } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { constants } from "node:os";
import { echoMs, forwardedSignals, isStop } from "./signals.ts";
import { sleep } from "./sleep.ts";
import { spawnQuietly } from "./standard-tool.ts";

/** Commands that end sooner have none: it would cost more than it is worth. */
const startAfterMs = 100;
const pollMs = 10;

export class GroupWitness {
  #process: ChildProcess | undefined;
  /** A signal that is taken now may be older than the process. */
  #isNewborn = false;
  #lastDeath: { readonly signal: NodeJS.Signals; readonly atMs: number } | undefined;
  #closing: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setTimeout(() => this.#start(), startAfterMs).unref();
  }

  /**
   * Whether the signal that came at `arrivedMs` was sent to all of the group; undefined when there is nobody to ask. A
   * "no" takes `echoMs`: timeout(1) signals toolout first and the group right after.
   */
  async hasReceived(signal: NodeJS.Signals, arrivedMs: number): Promise<boolean | undefined> {
    const child = this.#isNewborn ? undefined : this.#process;
    const deadline = performance.now() + echoMs;
    for (;;) {
      if (this.#hasDiedOf(signal, arrivedMs)) return true;
      if (child !== undefined && tellsReceipt(readStatus(child), signal)) return true;
      if (child === undefined) return undefined;
      if (performance.now() >= deadline) return false;
      await sleep(pollMs);
    }
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

  /** The witness can be dead, and that be known, before toolout gets to handle its own signal. */
  #hasDiedOf(signal: NodeJS.Signals, arrivedMs: number): boolean {
    return this.#lastDeath?.signal === signal && Math.abs(arrivedMs - this.#lastDeath.atMs) < echoMs;
  }

  /** It reads from toolout, so that it ends with it, whatever toolout ends of; it leaves no core (SIGQUIT). */
  #start(): void {
    const stdio: SpawnOptions["stdio"] = ["pipe", "ignore", "ignore"];
    const child = spawnQuietly("sh", ["-c", "ulimit -c 0; exec cat"], { env: {}, stdio });
    if (child?.pid === undefined) return;
    child.stdin?.on("error", () => {});
    (child.stdin as Socket).unref();
    child.unref();
    child.once("exit", () => {
      this.#process = undefined;
      const { signalCode } = child;
      // Not again when there is no cat, or when something else than what toolout forwards keeps ending it.
      if (signalCode === null || !forwardedSignals.includes(signalCode) || this.#closing !== undefined) return;
      this.#lastDeath = { signal: signalCode, atMs: performance.now() };
      // To fork takes long on a busy machine: the signals that came with this one are taken first.
      setImmediate(() => this.#restart()).unref();
    });
    this.#process = child;
    this.#isNewborn = true;
    // Signals that came while it was forked wait to be taken; setImmediate runs after that (Node's event loop: poll, check).
    setImmediate(() => {
      this.#isNewborn = false;
    });
  }

  #restart(): void {
    if (this.#closing === undefined) this.#start();
  }
}

/** What /proc/PID/status and /proc/PID/stat say of a process (proc(5)). */
export interface WitnessStatus {
  /** One letter: T is stopped, Z a zombie. */
  readonly state: string;
  /** The signals that wait for it, bit n - 1 for signal n. */
  readonly pending: bigint;
  /** The signal that it died of; 0 while it lives. */
  readonly deadOf: number;
}

/** Whether the signal was sent to it: it waits to be acted on, or was acted on. */
export function tellsReceipt({ state, pending, deadOf }: WitnessStatus, signal: NodeJS.Signals): boolean {
  const number = constants.signals[signal];
  if (signal === "SIGCONT") return state !== "T";
  if (isStop(signal) && state === "T") return true;
  if (deadOf !== 0) return deadOf === number;
  return (pending & (1n << BigInt(number - 1))) !== 0n;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function readStatus(child: ChildProcess): WitnessStatus {
  const nothing = {
    state: "X",
    pending: 0n,
    deadOf: child.signalCode === null ? 0 : constants.signals[child.signalCode],
  };
  if (hasEnded(child)) return nothing;
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, "latin1");
    const field = (name: string) => new RegExp(`^${name}:\\t(\\S+)`, "m").exec(status)?.[1] ?? "0";
    const pending = BigInt(`0x${field("SigPnd")}`) | BigInt(`0x${field("ShdPnd")}`);
    const stat = readFileSync(`/proc/${child.pid}/stat`, "latin1").trim();
    const exitCode = Number(stat.slice(stat.lastIndexOf(" ") + 1)); // the last field, as wait(2) gives it
    return { state: field("State"), pending, deadOf: exitCode & 0x7f };
  } catch {
    return nothing;
  }
}
