/**
 * Stays with a running command: hands signals on, keeps its time limit, and decides when its output has ended.
 * The output ends when every holder of the pipe has closed it, or, once the command itself is gone, when what is left is
 * read and nothing has come for a while: a background process that keeps the pipe open is not waited for.
 */
import { finishWhenSilent } from "../stream/drain.ts";
import type { Child, Exit } from "./child.ts";
import { GroupWitness } from "./group-witness.ts";
import { catchSignals, dieOf, forwardedSignals, mayComeFromTerminal, stopSelf } from "./signals.ts";
import { readStat } from "./stat.ts";
import { findTree, identify, type ProcessIdentity, signalAll } from "./tree.ts";

export interface Supervision {
  /** Time limit in ms; undefined for none. */
  readonly timeoutMs: number | undefined;
  /** Time in ms from SIGTERM to SIGKILL. */
  readonly killAfterMs: number;
  /** Wait for the end of the output, however long a background process keeps it open. */
  readonly waitForEnd: boolean;
}

export interface Ending {
  /** How the command itself ended. */
  readonly exit: Exit;
  readonly timedOut: boolean;
  /** The signal that, sent to toolout again, ended everything at once: what toolout dies of then. */
  readonly endedBy: NodeJS.Signals | null;
}

const pollMs = 25;
/** After SIGKILL the kernel may need a moment, but a process that waits for a dead disk is not waited for. */
const killedMs = 1_000;
/** Time for a command to stop after SIGTSTP, and how often to look. */
const stoppingMs = 1_000;
const stoppingPollMs = 10;
const longestTimerMs = 2 ** 31 - 1;

export class Supervisor {
  readonly #options: Supervision;
  readonly #release: () => void;
  readonly #early: NodeJS.Signals[] = [];
  #child: Child | undefined;
  #witness: GroupWitness | undefined;
  #wasStoppedWithGroup = false;
  /** The command, for as long as its process number is its own. */
  #root: ProcessIdentity | undefined;
  #isPrinting = false;
  #interrupts = 0;
  #timedOut = false;
  #timer: NodeJS.Timeout | undefined;
  #stopping: Promise<void> | undefined;
  #endedBy: NodeJS.Signals | null = null;
  #endNow!: () => void;
  readonly #endedAtOnce = new Promise<void>((resolve) => {
    this.#endNow = resolve;
  });

  /** From now on signals are caught; those that come before `watch` are handed on then. */
  constructor(options: Supervision) {
    this.#options = options;
    this.#release = catchSignals(forwardedSignals, (signal) => this.#take(signal));
  }

  watch(child: Child): void {
    this.#child = child;
    this.#root = identify(child.pid);
    this.#witness = new GroupWitness();
    child.exited.then(() => {
      this.#root = undefined;
    });
    if (this.#options.timeoutMs !== undefined) this.#startTimer(this.#options.timeoutMs);
    for (const signal of this.#early) this.#act(signal, false);
  }

  /** Resolves when the command and its output have ended. */
  async ended(): Promise<Ending> {
    if (this.#child === undefined) throw new Error("there is no command to wait for");
    const { exited, sources } = this.#child;
    const exit = await Promise.race([exited, this.#killed(exited)]);
    await Promise.race([this.#stopping, this.#endedAtOnce]);
    await Promise.race([this.#drained(), this.#endedAtOnce]);
    await Promise.race([this.#stopping, this.#endedAtOnce]);
    clearTimeout(this.#timer);
    for (const source of sources) source.close();
    void this.#witness?.close();
    this.#isPrinting = true;
    return { exit, timedOut: this.#timedOut, endedBy: this.#endedBy };
  }

  /** Signals have their own effect again; until then one is waited out, so that what came is printed and stored. */
  async release(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#witness?.close();
    this.#release();
  }

  /** Ends the command and all that it started: SIGTERM, and SIGKILL for what is left after `killAfterMs`. */
  stop(): void {
    this.#stopping ??= this.#stopTree();
  }

  #startTimer(leftMs: number): void {
    const stepMs = Math.min(leftMs, longestTimerMs);
    this.#timer = setTimeout(() => {
      if (leftMs > stepMs) this.#startTimer(leftMs - stepMs);
      else {
        this.#timedOut = true;
        this.stop();
      }
    }, stepMs);
  }

  async #take(signal: NodeJS.Signals): Promise<void> {
    if (this.#child === undefined) this.#early.push(signal);
    else if (this.#root === undefined) this.#act(signal, false);
    else this.#act(signal, await this.#hasCommandIt(signal));
  }

  /** `hasCommandIt`: it was sent to the whole group, and the command is the one to answer. */
  #act(signal: NodeJS.Signals, hasCommandIt: boolean): void {
    const asksToEnd = signal === "SIGINT" || signal === "SIGTERM" || (signal === "SIGHUP" && this.#root === undefined);
    if (!hasCommandIt) {
      if (this.#root !== undefined) signalAll([this.#root], signal);
      if (signal === "SIGCONT") this.#witness?.resume();
      if (asksToEnd) this.#askedToEnd(signal);
    }
    if (signal === "SIGTSTP") {
      this.#wasStoppedWithGroup = hasCommandIt;
      void this.#stopWithCommand();
    }
  }

  /** A command may have to restore the screen first (less, vi), or catch the signal and go on; then toolout does too. */
  async #stopWithCommand(): Promise<void> {
    const deadline = performance.now() + stoppingMs;
    while (this.#root !== undefined && this.#root.startTime !== "" && readStat(this.#root.pid)?.state !== "T") {
      await sleep(stoppingPollMs);
      if (this.#root === undefined || performance.now() >= deadline) return;
    }
    stopSelf();
  }

  async #hasCommandIt(signal: NodeJS.Signals): Promise<boolean> {
    const isReceived = (await this.#witness?.hasReceived(signal)) ?? mayComeFromTerminal(signal);
    return isReceived && (signal !== "SIGCONT" || this.#wasStoppedWithGroup);
  }

  /** The first time it is the command's to end, or what is left to read or print; the second time all ends at once. */
  #askedToEnd(signal: NodeJS.Signals): void {
    this.#interrupts += 1;
    const isSecond = this.#interrupts >= 2;
    if (this.#isPrinting) {
      if (isSecond) dieOf(signal);
    } else if (isSecond) {
      signalAll(this.#tree([]), "SIGKILL");
      this.#endedBy = signal;
      this.#endNow();
    } else if (this.#root === undefined) {
      for (const source of this.#child?.sources ?? []) finishWhenSilent(source); // the wait of --wait is over
    }
  }

  /** How a command ended that was ended at once; the kernel may take its time to say so. */
  async #killed(exited: Promise<Exit>): Promise<Exit> {
    await this.#endedAtOnce;
    const silence = sleep(killedMs).then((): Exit => ({ code: null, signal: "SIGKILL" }));
    return Promise.race([exited, silence]);
  }

  /** The command and all that it started; `known` are some of those, whose parents may have ended since. */
  #tree(known: readonly ProcessIdentity[]): ProcessIdentity[] {
    const roots = this.#root === undefined ? known : [this.#root, ...known];
    return findTree(roots, this.#child?.pipeNames ?? []);
  }

  async #stopTree(): Promise<void> {
    const deadline = performance.now() + this.#options.killAfterMs;
    const told: ProcessIdentity[] = [];
    // One look at /proc is not one moment: what a process starts and leaves during it is only seen by the next.
    for (let isEmpty = false; ; await sleep(pollMs)) {
      const tree = this.#tree(told);
      if (tree.length === 0 && isEmpty) return;
      isEmpty = tree.length === 0;
      const now = performance.now();
      if (now >= deadline + killedMs) return;
      const news = tree.filter(
        ({ pid, startTime }) => !told.some((one) => one.pid === pid && one.startTime === startTime),
      );
      told.push(...news);
      if (now >= deadline) signalAll(tree, "SIGKILL");
      else {
        signalAll(news, "SIGTERM");
        signalAll(news, "SIGCONT"); // a stopped process takes SIGTERM only once it goes on
      }
    }
  }

  async #drained(): Promise<void> {
    const sources = this.#child?.sources ?? [];
    if (!this.#options.waitForEnd) for (const source of sources) finishWhenSilent(source);
    await Promise.all(sources.map((source) => source.ended));
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
