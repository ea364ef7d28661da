/**
 * Hands the signals that toolout gets on to its command, once: not those that were sent to the whole process group, which
 * the command has already. Toolout stops when its command has stopped, so that whoever waits for it sees that.
 */
import { GroupWitness } from "./group-witness.ts";
import {
  catchSignals,
  dieOf,
  echoMs,
  forwardedSignals,
  isStop,
  mayComeFromTerminal,
  type StopSignal,
  stopSelf,
} from "./signals.ts";
import { sleep } from "./sleep.ts";
import { readStat, readSwitches } from "./stat.ts";
import { type ProcessIdentity, signalAll } from "./tree.ts";

const pollMs = 10;

export class Forwarding {
  readonly #onRequestToEnd: (signal: NodeJS.Signals) => void;
  readonly #release: () => void;
  readonly #early: NodeJS.Signals[] = [];
  /** The command, for as long as its process number is its own. */
  #command: ProcessIdentity | undefined;
  #witness: GroupWitness | undefined;
  /** Of the command when toolout stopped with it: see `#wasContinued`. */
  #switchesAtStop: string | null = null;
  #stoppedMs = Number.NEGATIVE_INFINITY;
  #endedMs = Number.NEGATIVE_INFINITY;
  #lastStopSignal: StopSignal = "SIGTSTP";
  #turn = Promise.resolve();

  /** Catches signals from now on. `onRequestToEnd`: INT, TERM, or a HUP after the command's end, sent to toolout alone. */
  constructor(onRequestToEnd: (signal: NodeJS.Signals) => void) {
    this.#onRequestToEnd = onRequestToEnd;
    this.#release = catchSignals([...forwardedSignals, "SIGCHLD"], (signal) => this.#take(signal));
  }

  /** The command runs; what came before that is handed on now. */
  start(command: ProcessIdentity): void {
    this.#command = command;
    this.#witness = new GroupWitness();
    for (const signal of this.#early) this.#act(signal, false);
  }

  commandEnded(): void {
    this.#command = undefined;
    this.#endedMs = performance.now();
  }

  /** Signals have their own effect again. Resolves when nothing is left of what was needed to tell them apart. */
  async end(): Promise<void> {
    await this.endWitness();
    this.#release();
  }

  async endWitness(): Promise<void> {
    await this.#witness?.close();
  }

  /** One after the other: what one of them was is known before the next has an effect. */
  #take(signal: NodeJS.Signals): void {
    const arrivedMs = performance.now();
    if (this.#witness !== undefined) this.#turn = this.#turn.then(() => this.#handle(signal, arrivedMs));
    else if (signal !== "SIGCHLD") this.#hold(signal);
  }

  /** A command that never starts must not keep toolout from ending. */
  #hold(signal: NodeJS.Signals): void {
    if (asksToEnd(signal) && this.#early.some(asksToEnd)) dieOf(signal);
    else this.#early.push(signal);
  }

  async #handle(signal: NodeJS.Signals, arrivedMs: number): Promise<void> {
    if (signal === "SIGCHLD") await this.#stopWithCommand();
    else if (!this.#isPast(signal, arrivedMs)) this.#act(signal, await this.#hasCommandIt(signal, arrivedMs));
  }

  /**
   * The stop that it asks for was seen before the signal; or the command caught it and ended, which can be seen first too:
   * of several pending signals the kernel delivers the one of the lowest number, and CHLD is below them (signal(7)).
   */
  #isPast(signal: NodeJS.Signals, arrivedMs: number): boolean {
    return isStop(signal) && (arrivedMs < this.#stoppedMs || arrivedMs < this.#endedMs + echoMs);
  }

  #act(signal: NodeJS.Signals, hasCommandIt: boolean): void {
    const command = this.#command;
    if (isStop(signal)) this.#lastStopSignal = signal;
    if (hasCommandIt) return;
    if (command !== undefined) signalAll([command], signal);
    else if (isStop(signal)) stopSelf(signal);
    if (signal === "SIGCONT") this.#witness?.resume();
    if (asksToEnd(signal) || (signal === "SIGHUP" && command === undefined)) this.#onRequestToEnd(signal);
  }

  /** Whether it was sent to the whole group, and the command is there to answer it. */
  async #hasCommandIt(signal: NodeJS.Signals, arrivedMs: number): Promise<boolean> {
    if (this.#command === undefined || !isInOurGroup(this.#command)) return false;
    if (signal === "SIGCONT") return this.#wasContinued(this.#command);
    const isUnseen = hasNoDefaultEffect(signal) || (isStop(signal) && isOrphaned());
    if (isUnseen) return mayComeFromTerminal(signal); // of no effect on the witness
    return (await this.#witness?.hasReceived(signal, arrivedMs)) ?? mayComeFromTerminal(signal);
  }

  /**
   * A command that was stopped together with toolout, and has run since, was continued with it: by its shell's fg or bg,
   * which continue the group. Otherwise CONT is handed on; of no effect on a command that runs, unless it catches it.
   */
  async #wasContinued({ pid }: ProcessIdentity): Promise<boolean> {
    const before = this.#switchesAtStop;
    this.#switchesAtStop = null;
    if (before === null) return false;
    for (const deadline = performance.now() + echoMs; performance.now() < deadline; await sleep(pollMs)) {
      if (readStat(pid)?.state !== "T" || readSwitches(pid) !== before) return true;
    }
    return false;
  }

  /**
   * The command has stopped by ^Z, perhaps after it restored the screen, or by itself; or it caught the signal and goes
   * on. The kernel tells the parent by SIGCHLD (waitpid(2), WUNTRACED).
   */
  async #stopWithCommand(): Promise<void> {
    if (!this.#isCommandStopped()) return;
    await sleep(pollMs); // the group is continued one after the other: what still looks stopped may be about to go on
    const command = this.#command;
    if (command === undefined || !this.#isCommandStopped()) return;
    this.#switchesAtStop = readSwitches(command.pid);
    this.#stoppedMs = performance.now();
    stopSelf(this.#lastStopSignal);
  }

  #isCommandStopped(): boolean {
    return this.#command !== undefined && readStat(this.#command.pid)?.state === "T";
  }
}

function hasNoDefaultEffect(signal: NodeJS.Signals): boolean {
  return signal === "SIGWINCH" || signal === "SIGURG";
}

function asksToEnd(signal: NodeJS.Signals): boolean {
  return signal === "SIGINT" || signal === "SIGTERM";
}

/** It may have left it (setsid(1), a shell with job control). */
function isInOurGroup({ pid }: ProcessIdentity): boolean {
  const [command, own] = [readStat(pid), readStat("self")];
  return command === null || own === null || command.group === own.group;
}

/** In a group without a parent that could continue it the kernel ignores the default TSTP (setpgid(2)). */
function isOrphaned(): boolean {
  const own = readStat("self");
  const parent = own === null ? null : readStat(own.parent);
  return own !== null && (parent === null || parent.session !== own.session || parent.group === own.group);
}
