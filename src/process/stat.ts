/** What /proc/PID/stat says of a process (proc(5)); only Linux has it. */
import { readFileSync } from "node:fs";
import { hasCode } from "../errors.ts";

export interface ProcessStat {
  readonly pid: number;
  /** One letter: Z is a zombie that waits for its parent, X a dead one. */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The foreground process group of its terminal; -1 without one. */
  readonly foregroundGroup: number;
  /** Clock ticks from boot to its start: with the number it names one process, since numbers are used again. */
  readonly startTime: string;
}

/** Null when there is no such process, or no /proc. */
export function readStat(pid: number | "self"): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Field 2, the name in parentheses, may itself hold blanks and parentheses: count after the last one, from field 3.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [state = "", parent, group, session, , foregroundGroup] = fields;
    return {
      pid: Number.parseInt(text, 10),
      state,
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      foregroundGroup: Number(foregroundGroup),
      startTime: fields[19] ?? "",
    };
  } catch {
    return null;
  }
}

/** How often its main thread has been switched away from: the same text again means that it has not run since. */
export function readSwitches(pid: number): string | null {
  try {
    return (readFileSync(`/proc/${pid}/status`, "latin1").match(/^\w*voluntary_ctxt_switches:.*$/gm) ?? []).join();
  } catch {
    return null;
  }
}

/** The process of that number that started then runs; where the start is not known (""), any of that number. */
export function isRunning(pid: number, startTime: string): boolean {
  if (startTime === "") return exists(pid);
  const stat = readStat(pid);
  return stat !== null && stat.startTime === startTime && stat.state !== "Z" && stat.state !== "X";
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, "EPERM"); // somebody else's
  }
}
