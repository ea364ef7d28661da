/** Which way a descriptor is read; each hands on the pieces as they come, from one reused buffer. */
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { FileSource } from "./file-source.ts";
import { PipeSource } from "./pipe-source.ts";
import type { Receiver, Source } from "./reading.ts";
import { StreamSource } from "./stream-source.ts";

/** Reads a pipe whose descriptor is non-blocking; owns the descriptor. */
export function readPipe(fd: number, receive: Receiver): Source {
  return new PipeSource(fd, receive, true);
}

/** Reads a stream of Node's: a socket pair to a child, where no FIFO could be made. */
export function readStream(stream: Readable, receive: Receiver): Source {
  return new StreamSource(stream, receive);
}

/** Reads whatever `fd` is. A pipe is opened anew first, so that O_NONBLOCK is not set on a pipe that others share. */
export function readDescriptor(fd: number, receive: Receiver): Source {
  const stats = fstatSync(fd);
  if (stats.isSocket()) return new PipeSource(fd, receive, false);
  if (stats.isFIFO()) {
    const own = reopened(fd);
    return new PipeSource(own ?? fd, receive, own !== null);
  }
  return new FileSource(fd, receive);
}

/**
 * On Linux, opening /proc/self/fd/N makes a new open file description of the same pipe (proc(5)), with flags of its own.
 * Null elsewhere.
 */
function reopened(fd: number): number | null {
  try {
    const own = openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY | constants.O_NONBLOCK);
    closeSync(fd);
    return own;
  } catch {
    return null;
  }
}
