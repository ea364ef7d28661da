/**
 * The processes that a command has started, found in /proc (proc(5)): its descendants, and whoever holds its output, for
 * those whose parent ended and who therefore belong to init now. Elsewhere than on Linux only the command itself.
 */
import { readdirSync, readlinkSync } from "node:fs";
import { isRunning, type ProcessStat, readStat } from "./stat.ts";

/** A process, with the start time that tells it from a later one of the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** The process that has this number now. */
export function identify(pid: number): ProcessIdentity {
  return { pid, startTime: readStat(pid)?.startTime ?? "" };
}

/** The processes `roots`, all their descendants, and all that hold one of the pipes (as readlink shows them), but not toolout. */
export function findTree(roots: readonly ProcessIdentity[], pipes: readonly string[]): ProcessIdentity[] {
  const alive = roots.filter(isAlive);
  const all = listProcesses();
  if (all.length === 0) return alive;
  const wanted = new Set(alive.map(({ pid }) => pid));
  for (const entry of all) if (holdsOne(entry.pid, pipes)) wanted.add(entry.pid);
  wanted.delete(process.pid);
  for (let size = 0; size !== wanted.size; ) {
    size = wanted.size;
    for (const { pid: child, parent } of all) if (wanted.has(parent)) wanted.add(child);
  }
  return all.filter((entry) => wanted.has(entry.pid) && isAlive(entry));
}

/** Sends the signal to those that are still the same process; the ones that were there. */
export function signalAll(processes: readonly ProcessIdentity[], signal: NodeJS.Signals): ProcessIdentity[] {
  return processes.filter((one) => {
    if (!isAlive(one)) return false;
    try {
      process.kill(one.pid, signal);
      return true;
    } catch {
      return false; // it ended just now, or belongs to somebody else
    }
  });
}

/** Still running, and not a zombie that waits for its parent. */
export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  return isRunning(pid, startTime);
}

/** How the open file behind a descriptor of ours is called under /proc, such as `pipe:[123]` or a FIFO's path. */
export function nameOfDescriptor(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

function listProcesses(): ProcessStat[] {
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return [];
  }
  const entries = names.filter((name) => /^\d+$/.test(name)).map((name) => readStat(Number(name)));
  return entries.filter((entry) => entry !== null);
}

function holdsOne(pid: number, pipes: readonly string[]): boolean {
  if (pipes.length === 0) return false;
  return [1, 2].some((fd) => {
    try {
      return pipes.includes(readlinkSync(`/proc/${pid}/fd/${fd}`));
    } catch {
      return false;
    }
  });
}
