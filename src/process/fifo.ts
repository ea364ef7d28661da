/**
 * Pipes for a command's output. Node can only make socket pairs, and on a socket `echo x >/dev/stderr` inside the command
 * fails with ENXIO (unix(7) sockets cannot be opened by name); a FIFO that is opened and unlinked at once is a pipe.
 */
import { spawnSync } from "node:child_process";
import { closeSync, constants, fstatSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../io.ts";

/** Both ends of a pipe: reading does not block, writing does. */
export interface Fifo {
  readonly readFd: number;
  readonly writeFd: number;
}

/** Makes pipes, or gives null where no directory can hold a FIFO (the caller then falls back to sockets). */
export function openFifos(count: number, env: Environment): Fifo[] | null {
  for (const directory of candidates(env)) {
    const fifos = openIn(directory, count);
    if (fifos !== null) return fifos;
  }
  return null;
}

function candidates(env: Environment): string[] {
  const wanted = [env["TMPDIR"], env["XDG_RUNTIME_DIR"], "/tmp", "/dev/shm"];
  return [...new Set(wanted.filter((directory) => directory?.startsWith("/")))] as string[];
}

function openIn(directory: string, count: number): Fifo[] | null {
  const names = Array.from({ length: count }, (_, i) => join(directory, `.toolout-${process.pid}-${i}.fifo`));
  // mkfifo(1) refuses a name that exists, also a link, so nothing planted is ever opened.
  const made = spawnSync("mkfifo", ["-m", "600", ...names], { stdio: "ignore" });
  if (made.status !== 0) return null;
  const fifos: Fifo[] = [];
  try {
    for (const name of names) fifos.push(open(name));
    return fifos;
  } catch {
    for (const { readFd, writeFd } of fifos) {
      closeSync(readFd);
      closeSync(writeFd);
    }
    return null;
  } finally {
    for (const name of names) unlinkSync(name);
  }
}

function open(name: string): Fifo {
  const readFd = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  const writeFd = openSync(name, constants.O_WRONLY | constants.O_NOFOLLOW);
  const stats = fstatSync(readFd);
  if (!stats.isFIFO() || stats.uid !== process.geteuid?.()) throw new Error(`${name} was replaced`);
  return { readFd, writeFd };
}
