/**
 * Who is writing an output: process id and the time that process started, since ids are used again. The mark keeps gc
 * away however long the writer is silent; one in another pid namespace is known by its touching the payload.
 */
import { isRunning, readStat } from "../process/stat.ts";
import { idPattern } from "./reference.ts";

export interface WriterMark {
  readonly id: string;
  readonly pid: number;
  /** Clock ticks from boot to the start of the process, "0" where the system does not tell. */
  readonly started: string;
}

const markPattern = new RegExp(`^(${idPattern})\\.([1-9]\\d{0,9})\\.(\\d{1,20})\\.tmp$`);

/** The name of this process's mark on the output `id`. */
export function markName(id: string): string {
  return `${id}.${process.pid}.${readStat("self")?.startTime || "0"}.tmp`;
}

export function parseMarkName(name: string): WriterMark | undefined {
  const [, id, pid, started] = markPattern.exec(name) ?? [];
  return id && pid && started ? { id, pid: Number(pid), started } : undefined;
}

export function isWriterAlive({ pid, started }: WriterMark): boolean {
  return isRunning(pid, started === "0" ? "" : started);
}
