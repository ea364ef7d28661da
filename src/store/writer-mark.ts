/**
 * Who is writing an output: process id and the time that process started, since ids are used again. The mark keeps gc
 * away however long the writer is silent; one in another pid namespace is known by its touching the payload.
 */
import { readFileSync } from "node:fs";
import { hasCode } from "../errors.ts";

export interface WriterMark {
  readonly id: string;
  readonly pid: number;
  /** Clock ticks from boot to the start of the process, "0" where the system does not tell. */
  readonly started: string;
}

/** The name of this process's mark on the output `id`. */
export function markName(id: string): string {
  return `${id}.${process.pid}.${readProcess("self")?.started ?? "0"}.tmp`;
}

export function parseMarkName(name: string): WriterMark | undefined {
  const [, id, pid, started] = /^([0-9a-f]{12}[0-9A-Za-z]{14})\.([1-9]\d{0,9})\.(\d{1,20})\.tmp$/.exec(name) ?? [];
  return id && pid && started ? { id, pid: Number(pid), started } : undefined;
}

export function isWriterAlive({ pid, started }: WriterMark): boolean {
  if (started === "0") return isProcess(pid);
  const found = readProcess(pid);
  return found?.started === started && found.state !== "Z" && found.state !== "X";
}

/** State and start time, fields 3 and 22 of /proc/PID/stat (proc(5)); field 2, the name, may hold blanks and brackets. */
function readProcess(pid: number | "self"): { state: string; started: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", started: fields[19] ?? "0" };
  } catch {
    return undefined;
  }
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
