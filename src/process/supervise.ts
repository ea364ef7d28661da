/**
 * Stays with a running command: hands signals on, keeps its time limit, and decides when its output has ended.
 * The output ends when every holder of the pipe has closed it, or, once the command itself is gone, when what is left is
 * read and nothing has come for a while: a background process that keeps the pipe open is not waited for.
 */
import { finishWhenSilent } from "../stream/drain.ts";
import type { Child, Exit } from "./child.ts";
import { Forwarding } from "./forwarding.ts";
import { dieOf, statusOf } from "./signals.ts";
import { sleep } from "./sleep.ts";
import { killedMs, stopTree } from "./stop-tree.ts";
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

const longestTimerMs = 2 ** 31 - 1;

export class Supervisor {
  readonly #options: Supervision;
  readonly #signals: Forwarding | null;
  #child: Child | undefined;
  /** The command, for as long as its process number is its own. */
  #root: ProcessIdentity | undefined;
  #isPrinting = false;
  #interrupts = 0;
  #timedOut = false;
  #timer: NodeJS.Timeout | undefined;
  #stopping: Promise<void> | undefined;
  #killAtMs = Number.POSITIVE_INFINITY;
  #endedBy: NodeJS.Signals | null = null;
  #endNow!: () => void;
  readonly #endedAtOnce = new Promise<void>((resolve) => {
    this.#endNow = resolve;
  });

  /**
   * From now on signals are caught; those that come before `watch` are handed on then.
   * @param handsSignalsOn `false` leaves signals to the caller.
   */
  constructor(options: Supervision, handsSignalsOn = true) {
    this.#options = options;
    this.#signals = handsSignalsOn ? new Forwarding((signal) => this.#askedToEnd(signal)) : null;
  }

  watch(child: Child): void {
    this.#child = child;
    this.#root = identify(child.pid);
    child.exited.then(() => {
      this.#root = undefined;
      this.#signals?.commandEnded();
    });
    if (this.#options.timeoutMs !== undefined) this.#startTimer(this.#options.timeoutMs);
    this.#signals?.start(this.#root);
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
    void this.#signals?.endWitness();
    this.#isPrinting = true;
    return { exit, timedOut: this.#timedOut, endedBy: this.#endedBy };
  }

  /** Signals have their own effect again; until then one is waited out, so that what came is printed and stored. */
  async release(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#signals?.end();
  }

  /** Ends the command and all that it started: SIGTERM, and SIGKILL for what is left after `killAfterMs`; sooner if asked again. */
  stop(killAfterMs = this.#options.killAfterMs): void {
    this.#killAtMs = Math.min(this.#killAtMs, performance.now() + killAfterMs);
    this.#stopping ??= stopTree(
      (known) => this.#tree(known),
      () => this.#killAtMs,
    );
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

  async #drained(): Promise<void> {
    const sources = this.#child?.sources ?? [];
    if (!this.#options.waitForEnd) for (const source of sources) finishWhenSilent(source);
    await Promise.all(sources.map((source) => source.ended));
  }
}

/** What toolout ends with in its place: a status, or the signal to die of. timeout(1) uses 124 too. */
export function endAs({ exit, timedOut, endedBy }: Ending): number | NodeJS.Signals {
  if (endedBy !== null) return endedBy;
  if (timedOut) return 124;
  if (exit.signal === null) return exit.code ?? 1;
  return statusOf(exit.signal) ?? exit.signal;
}
