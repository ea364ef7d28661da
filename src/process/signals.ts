/**
 * Which signals are passed on and how they are caught, and how toolout stops or ends by one. Whether the command has a
 * signal already is told in forwarding.ts.
 */
import { constants } from "node:os";
import { readStat } from "./stat.ts";

/**
 * All that a program can catch and that has a meaning for another one: not those of an error in the program itself (ILL,
 * BUS, FPE, SEGV), not PROF, which V8's profiler sends itself. The contract's come first.
 */
export const forwardedSignals: readonly NodeJS.Signals[] = [
  ...(["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGTSTP", "SIGCONT"] as const),
  ...(["SIGTTIN", "SIGTTOU", "SIGWINCH", "SIGURG", "SIGIO", "SIGPWR", "SIGVTALRM", "SIGXCPU", "SIGSYS"] as const),
  ...(["SIGTRAP", "SIGABRT"] as const),
].filter((signal) => signal in constants.signals);
const stopSignals = ["SIGTSTP", "SIGTTIN", "SIGTTOU"] as const;
export type StopSignal = (typeof stopSignals)[number];
/** CONT comes from the shell's fg; WINCH when the window changes. */
const fromTerminal: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT", ...stopSignals, "SIGCONT", "SIGWINCH"];

/** Death by one of these is told as 128 + n: most dump core, and toolout should leave none of its own. */
const toldByNumber: readonly NodeJS.Signals[] = [
  "SIGQUIT",
  "SIGILL",
  "SIGTRAP",
  "SIGABRT",
  "SIGBUS",
  "SIGFPE",
  "SIGSEGV",
  "SIGSYS",
  "SIGXCPU",
  "SIGXFSZ",
  "SIGPIPE",
];

/** Within this time, in ms, the same request to end is the same one: timeout(1) sends it to the process and to its group. */
export const echoMs = 50;
const echoed: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

/** Calls `onSignal` for each of the signals, until the function given back is called. */
export function catchSignals(
  signals: readonly NodeJS.Signals[],
  onSignal: (signal: NodeJS.Signals) => void,
): () => void {
  const listeners = signals.map((signal) => {
    let last = Number.NEGATIVE_INFINITY;
    const listener = () => {
      const now = performance.now();
      if (echoed.includes(signal) && now - last < echoMs) return;
      last = now;
      onSignal(signal);
    };
    process.removeAllListeners(signal); // dieOfUserSignal
    process.on(signal, listener);
    return { signal, listener };
  });
  return () => {
    for (const { signal, listener } of listeners) process.removeListener(signal, listener);
  };
}

/**
 * Until they are caught, the signals have their usual effect: Node would start its debugger on USR1 instead of dying. To be
 * called first.
 */
export function dieOfUserSignal(): void {
  process.once("SIGUSR1", () => dieOf("SIGUSR1"));
}

/** Whether it may be the terminal's, which sends to its whole foreground group (termios(3), ISIG): a guess. */
export function mayComeFromTerminal(signal: NodeJS.Signals): boolean {
  return fromTerminal.includes(signal) && isForeground();
}

/** The exit status 128 + n, or null when toolout should die of the signal itself. */
export function statusOf(signal: NodeJS.Signals): number | null {
  return toldByNumber.includes(signal) ? 128 + constants.signals[signal] : null;
}

/** Ends this process by the signal, so that the caller sees what it would have seen of the command (WIFSIGNALED). */
export function dieOf(signal: NodeJS.Signals): void {
  // Node has a handler of its own for some (USR1 starts the debugger); a listener replaces it, and removing all
  // restores the system's default.
  if (signal !== "SIGKILL") {
    process.on(signal, () => {});
    process.removeAllListeners(signal);
  }
  process.kill(process.pid, signal);
}

export function isStop(signal: NodeJS.Signals): signal is StopSignal {
  return (stopSignals as readonly NodeJS.Signals[]).includes(signal);
}

/** Stops this process as the signal does by default; comes back when it goes on. SIGSTOP would be another status to a shell. */
export function stopSelf(signal: StopSignal): void {
  const listeners = process.listeners(signal);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  for (const listener of listeners) process.on(signal, listener);
}

/** Whether our process group is the terminal's foreground group. */
function isForeground(): boolean {
  const stat = readStat("self");
  return stat === null ? process.stdin.isTTY === true : stat.group === stat.foregroundGroup;
}
