/** Signals that toolout gets while it waits for a job: the command, in a session of its own, has none of them yet. */
import { catchSignals, dieOf, forwardedSignals, isStop, stopSelf } from "../process/signals.ts";
import { type ProcessIdentity, signalAll } from "../process/tree.ts";

export class JobSignals {
  /** Signals have their own effect again. */
  readonly release: () => void;
  readonly #kill: () => Promise<void>;
  readonly #early: NodeJS.Signals[] = [];
  #command: ProcessIdentity | null = null;
  #requestsToEnd = 0;

  /** Catches signals from now on. `kill` ends all at once: what a second INT or TERM asks for. */
  constructor(kill: () => Promise<void>) {
    this.#kill = kill;
    this.release = catchSignals(forwardedSignals, (signal) => this.#take(signal));
  }

  /** The command runs; what came before that is handed on now. */
  start(command: ProcessIdentity | null): void {
    this.#command = command;
    for (const signal of this.#early) this.#handOn(signal);
  }

  #take(signal: NodeJS.Signals): void {
    if (signal === "SIGINT" || signal === "SIGTERM") this.#requestsToEnd += 1;
    if (this.#requestsToEnd >= 2) this.#kill().finally(() => dieOf(signal));
    else if (this.#command === null) this.#early.push(signal);
    else this.#handOn(signal);
  }

  #handOn(signal: NodeJS.Signals): void {
    if (this.#command !== null) signalAll([this.#command], signal);
    if (isStop(signal)) stopSelf(signal);
  }
}
