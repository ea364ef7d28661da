/**
 * Which signals are passed on and how they are caught, and how toolout stops or ends by one. Whether the command has a
 * signal already is told in forwarding.ts.
 */
import { constants } from "node:os";
import { readStat } from "./stat.ts";

const forwarded = [
  "SIGHUP",
  "SIGINT",
  "SIGQUIT",
  "SIGTERM",
  "SIGUSR1",
  "SIGUSR2",
  "SIGALRM",
  "SIGTSTP",
  "SIGCONT",
] as const;
const fromTerminal: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT", "SIGTSTP", "SIGCONT"]; // CONT comes from the shell's fg

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

export const forwardedSignals: readonly NodeJS.Signals[] = forwarded;

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

/** Stops this process as TSTP would have; comes back when it goes on. SIGSTOP would be told to the shell as another status. */
export function stopSelf(): void {
  const listeners = process.listeners("SIGTSTP");
  process.removeAllListeners("SIGTSTP");
  process.kill(process.pid, "SIGTSTP");
  for (const listener of listeners) process.on("SIGTSTP", listener);
}

/** Whether our process group is the terminal's foreground group. */
function isForeground(): boolean {
  const stat = readStat("self");
  return stat === null ? process.stdin.isTTY === true : stat.group === stat.foregroundGroup;
}
