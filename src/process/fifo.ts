/**
 * Pipes for a command's output. Node can only make socket pairs, and on a socket `echo x >/dev/stderr` inside the command
 * fails with ENXIO (unix(7) sockets cannot be opened by name); a FIFO that is opened and unlinked at once is a pipe.
 */
import { closeSync, constants, fstatSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../io.ts";
import { runStandardTool } from "./standard-tool.ts";

/** Both ends of a pipe: reading does not block, writing does. */
export interface Fifo {
  readonly readFd: number;
  readonly writeFd: number;
}

/** Makes pipes, or gives null where no directory can hold a FIFO (the caller then falls back to sockets). */
export async function openFifos(count: number, env: Environment): Promise<Fifo[] | null> {
  for (const directory of fifoDirectories(env)) {
    const fifos = await openIn(directory, count);
    if (fifos !== "elsewhere") return fifos;
  }
  return null;
}

/** Where a FIFO may be made, in the order of trying. */
export function fifoDirectories(env: Environment): string[] {
  const wanted = [env["TMPDIR"], env["XDG_RUNTIME_DIR"], "/tmp", "/dev/shm"];
  return [...new Set(wanted.filter((directory) => directory?.startsWith("/")))] as string[];
}

/** Null when there is no mkfifo(1), which no other directory would mend. */
async function openIn(directory: string, count: number): Promise<Fifo[] | null | "elsewhere"> {
  // The name also tells the pipe's holders under /proc, so it must not be that of another pid namespace's toolout.
  const unique = `${process.pid}-${process.hrtime.bigint().toString(36)}`;
  const names = Array.from({ length: count }, (_, i) => join(directory, `.toolout-${unique}-${i}.fifo`));
  // mkfifo(1) refuses a name that exists, also a link, so nothing planted is ever opened.
  const made = await runStandardTool("mkfifo", ["-m", "600", ...names]);
  if (made === "missing") return null;
  const fifos: Fifo[] = [];
  try {
    if (made !== 0) return "elsewhere";
    for (const name of names) fifos.push(openFifo(name));
    return fifos;
  } catch {
    for (const { readFd, writeFd } of fifos) {
      closeSync(readFd);
      closeSync(writeFd);
    }
    return "elsewhere";
  } finally {
    for (const name of names) rmSync(name, { force: true });
  }
}

/** Opens both ends of a FIFO of this user's. Throws what the system says. */
export function openFifo(name: string): Fifo {
  const readFd = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  const writeFd = openSync(name, constants.O_WRONLY | constants.O_NOFOLLOW);
  const stats = fstatSync(readFd);
  if (!stats.isFIFO() || stats.uid !== process.geteuid?.()) throw new Error(`${name} was replaced`);
  return { readFd, writeFd };
}
