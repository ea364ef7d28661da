/**
 * libuv sets the stdin of what it starts to blocking (uv__process_child_init), and the flag is that of the open file: of
 * everybody who shares it. A pipe or terminal that somebody set non-blocking is therefore opened anew for the command.
 */
import { constants, fstatSync, openSync } from "node:fs";
import { isTerminal } from "../stream/terminal.ts";
import { accessMode, nonBlocking, openFlags } from "./open-flags.ts";

/** The descriptor to pass on as the command's stdin; `fd` itself, or one to be closed when the command has started. */
export function stdinFor(fd: number): number {
  try {
    const stats = fstatSync(fd);
    const isShareable = stats.isFIFO() || isTerminal(fd); // a file's position would be lost; a socket cannot be opened
    const flags = isShareable ? (openFlags(fd) ?? 0) : 0;
    if ((flags & nonBlocking) === 0) return fd;
    // Non-blocking here too: else a FIFO would wait for a writer (fifo(7)).
    const how = (flags & accessMode) | constants.O_NONBLOCK | constants.O_NOCTTY;
    return openSync(`/proc/self/fd/${fd}`, how);
  } catch {
    return fd;
  }
}
