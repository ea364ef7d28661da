/**
 * A session that is a secret does not belong on a command line, which every user of the machine can read (ps(1)): it can
 * come from a file or, without touching a disk, from a descriptor that the caller opened.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, type Stats, statSync } from "node:fs";
import { Failure, reason } from "../errors.ts";
import { accessMode, openFlags } from "../process/open-flags.ts";
import { formatCount } from "../text/quantity.ts";
import { quote } from "../text/quote.ts";

const mostBytes = 4096;

/**
 * The session in a file or pipe, read to its end, without the line end it may end in; 1 - 4,096 bytes of UTF-8.
 * @param place A path, or the number of an inherited descriptor, 3 or more, which is closed then: no command gets it.
 * @throws Failure "usage"
 */
export function readSession(place: string): string {
  try {
    return sessionIn(/^\d+$/.test(place) ? readDescriptor(Number(place)) : readPath(place));
  } catch (error) {
    throw new Failure("usage", `--session-file ${quote(place)}: ${reason(error)}`, { cause: error });
  }
}

function readDescriptor(fd: number): Buffer {
  if (fd < 3) throw new Error("a descriptor must be 3 or more");
  const stats = fstatSync(fd);
  requireFileOrPipe(stats);
  if (stats.isFIFO() && isWrittenHere(stats)) throw new Error("nobody opened this descriptor for toolout to read");
  const bytes = readToEnd(fd);
  closeSync(fd);
  return bytes;
}

/**
 * A number that the caller opened nothing under may be that of a pipe that Node made for itself, and reading that would
 * wait for ever. Node holds both ends of it; whoever inherited both ends of a pipe would wait for its end as well.
 */
function isWrittenHere(pipe: Stats): boolean {
  return descriptors().some((fd) => {
    try {
      const { dev, ino } = fstatSync(fd);
      return dev === pipe.dev && ino === pipe.ino && ((openFlags(fd) ?? 0) & accessMode) !== constants.O_RDONLY;
    } catch {
      return false; // the one that the directory was read through
    }
  });
}

/** None where there is no /proc. */
function descriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

/** Looked at before it is opened, since opening a device may do something. */
function readPath(path: string): Buffer {
  requireFileOrPipe(statSync(path));
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOCTTY);
  try {
    requireFileOrPipe(fstatSync(fd));
    return readToEnd(fd);
  } finally {
    closeSync(fd);
  }
}

/** Node's child_process gives its children sockets for pipes. */
function requireFileOrPipe(stats: Stats): void {
  if (!stats.isFile() && !stats.isFIFO() && !stats.isSocket()) throw new Error("is neither a regular file nor a pipe");
}

function readToEnd(fd: number): Buffer {
  const buffer = Buffer.alloc(mostBytes + "\r\n".length + 1);
  let length = 0;
  for (let count = -1; count !== 0 && length < buffer.length; length += count) {
    count = readSync(fd, buffer, length, buffer.length - length, null);
  }
  return buffer.subarray(0, length);
}

function sessionIn(bytes: Buffer): string {
  const session = decode(bytes).replace(/\r?\n$/, "");
  if (session === "") throw new Error("is empty");
  if (Buffer.byteLength(session) > mostBytes) throw new Error(`is more than ${formatCount(mostBytes)} bytes`);
  return session;
}

/** Bytes that are not UTF-8 would all become the same character, and sessions with them equal. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(bytes.length > mostBytes ? `is more than ${formatCount(mostBytes)} bytes` : "is not UTF-8 text");
  }
}
