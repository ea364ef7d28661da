/**
 * Node raises its soft limit of open files to the hard one when it starts (node.cc, PlatformInit), and the command would
 * inherit that: `ulimit -n` would differ, and programs that close every possible descriptor would take their time.
 */
import { readFileSync } from "node:fs";
import { runStandardTool } from "./standard-tool.ts";

/** Below this Node itself would soon have none left. */
const fewestFiles = 64;

/**
 * Sets our soft limit back to the parent's, which is what it was unless somebody changed it and then became toolout
 * (`sh -c 'ulimit -n …; exec toolout …'`). Does nothing where prlimit(1) or /proc is missing.
 */
export async function restoreOpenFilesLimit(): Promise<void> {
  const soft = limitToRestore(readLimits("self"), readLimits(process.ppid));
  if (soft === null) return;
  await runStandardTool("prlimit", ["--pid", String(process.pid), `--nofile=${soft}:`]);
}

/** The parent's soft limit where it is below ours; both as /proc/PID/limits tells them (proc(5)). */
export function limitToRestore(own: string, parent: string): number | null {
  const [ours, theirs] = [own, parent].map((text) => Number(/^Max open files +(\d+)/m.exec(text)?.[1] ?? Number.NaN));
  const isBelow = ours !== undefined && theirs !== undefined && theirs < ours && theirs >= fewestFiles;
  return isBelow ? theirs : null;
}

function readLimits(pid: number | "self"): string {
  try {
    return readFileSync(`/proc/${pid}/limits`, "latin1");
  } catch {
    return "";
  }
}
