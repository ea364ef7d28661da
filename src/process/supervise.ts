/**
 * Stays with a running command: hands signals on, keeps its time limit, and decides when its output has ended.
 * The output ends when every holder of the pipe has closed it, or, once the command itself is gone, when what is left is
 * read and nothing has come for a while: a background process that keeps the pipe open is not waited for.
 */

import { finishWhenSilent } from "../stream/drain.ts";
import type { Child, Exit } from "./child.ts";
import { catchSignals, forwardedSignals } from "./signals.ts";
import { findTree, isAlive, type ProcessIdentity, signalAll } from "./tree.ts";

export interface Supervision {
  /** Time limit in ms; undefined for none. */
  readonly timeoutMs: number | undefined;
  /** Time in ms from SIGTERM to SIGKILL. */
  readonly killAfterMs: number;
  /** Wait for the end of the output, however long a background process keeps it open. */
  readonly waitForEnd: boolean;
  /** How the pipes of the output are called under /proc. */
  readonly pipeNames: readonly string[];
}

export interface Ending {
  readonly exit: Exit;
  readonly timedOut: boolean;
}

const pollMs = 25;
const longestTimerMs = 2 ** 31 - 1;

export class Supervisor {
  readonly #child: Child;
  readonly #options: Supervision;
  #interrupts = 0;
  #timedOut = false;
  #stopping: Promise<void> | undefined;
  #endNow!: (exit: Exit) => void;
  readonly #endedAtOnce = new Promise<Exit>((resolve) => {
    this.#endNow = resolve;
  });

  constructor(child: Child, options: Supervision) {
    this.#child = child;
    this.#options = options;
  }

  /** Resolves when the command and its output have ended. Signals sent to toolout meanwhile go to the command. */
  async ended(): Promise<Ending> {
    const release = catchSignals(forwardedSignals, { onSignal: (...signal) => this.#handOn(...signal) });
    const timer = this.#startTimer();
    try {
      const exit = await Promise.race([this.#child.exited, this.#endedAtOnce]);
      clearTimeout(timer);
      await Promise.race([this.#stopping, this.#endedAtOnce]);
      await Promise.race([this.#drained(), this.#endedAtOnce]);
      return { exit, timedOut: this.#timedOut };
    } finally {
      for (const source of this.#child.sources) source.close();
      release();
    }
  }

  /** Ends the command and all that it started: SIGTERM, and SIGKILL for what is left after `killAfterMs`. */
  stop(): void {
    this.#stopping ??= this.#stopTree();
  }

  #startTimer(): NodeJS.Timeout | undefined {
    const { timeoutMs } = this.#options;
    if (timeoutMs === undefined) return undefined;
    const expire = () => {
      this.#timedOut = true;
      this.stop();
    };
    return setTimeout(expire, Math.min(timeoutMs, longestTimerMs));
  }

  #handOn(signal: NodeJS.Signals, hasCommandIt: boolean): void {
    if (!hasCommandIt) this.#send(signal);
    if (signal === "SIGTSTP") process.kill(process.pid, "SIGSTOP");
    const asksToEnd = signal === "SIGINT" || signal === "SIGTERM";
    if (!asksToEnd || hasCommandIt) return;
    this.#interrupts += 1;
    if (this.#interrupts < 2) return;
    signalAll(this.#tree(), "SIGKILL");
    this.#endNow({ code: null, signal });
  }

  #send(signal: NodeJS.Signals): void {
    try {
      process.kill(this.#child.pid, signal);
    } catch {
      // It has ended by itself, and its status is on the way.
    }
  }

  #tree(): ProcessIdentity[] {
    return findTree(this.#child.pid, this.#options.pipeNames);
  }

  async #stopTree(): Promise<void> {
    const deadline = performance.now() + this.#options.killAfterMs;
    const tree = this.#tree();
    signalAll(tree, "SIGTERM");
    signalAll(tree, "SIGCONT"); // a stopped process takes SIGTERM only once it goes on
    while (tree.some(isAlive)) {
      if (performance.now() >= deadline) {
        signalAll([...tree, ...this.#tree()], "SIGKILL");
        return;
      }
      await sleep(pollMs);
    }
  }

  async #drained(): Promise<void> {
    const { sources } = this.#child;
    if (!this.#options.waitForEnd) for (const source of sources) finishWhenSilent(source);
    await Promise.all(sources.map((source) => source.ended));
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
