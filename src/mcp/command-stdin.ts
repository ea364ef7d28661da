import { randomBytes } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Failure, reason } from "../errors.ts";
import type { Environment } from "../io.ts";
import { fifoDirectories } from "../process/fifo.ts";

/**
 * A descriptor to read the text from, /dev/null without one; to be closed. The text is in a file that has no name any
 * more: unlike a pipe it needs nobody to write on while the command reads.
 * @throws Failure "io"
 */
export function openStdin(text: string | undefined, env: Environment): number {
  if (text === undefined) return openSync("/dev/null", "r");
  const [directory = "/tmp"] = fifoDirectories(env);
  const path = join(directory, `.toolout-${process.pid}-${randomBytes(9).toString("hex")}.stdin`);
  let fd: number | undefined;
  try {
    fd = openSync(path, "wx+", 0o600);
    rmSync(path);
    writeAll(fd, Buffer.from(text));
    return fd;
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    throw new Failure("io", `cannot keep stdin for the command in ${directory}: ${reason(error)}`, { cause: error });
  }
}

/** At given places (pwrite(2)), so that reading begins at the first byte. */
function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
}
