/**
 * A file or directory on disk, judged on its descriptor so that what was looked at is what is read. O_NONBLOCK: opening a
 * FIFO that nobody writes to would wait for ever (open(2)); O_NOCTTY: opening a terminal must not make it ours.
 */
import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { Failure, hasCode, reason } from "../errors.ts";
import { borderBefore } from "../text/utf8.ts";
import { visible } from "../text/visible.ts";
import { type ByteSource, descriptorSource, memorySource, readPiece } from "./source.ts";

export interface OpenFile {
  readonly kind: "file" | "directory";
  /** Of a directory: empty. */
  readonly source: ByteSource;
  close(): void;
}

/** Bytes looked at to tell text from anything else. */
const sniffBytes = 8192;

/** The most that is taken of a file whose size is not known before it is read. */
const unsizedBytes = 64 * 1024 * 1024;

/**
 * Opens a path for reading.
 * @throws Failure "not-found"; "io" for what is neither a text file nor a directory, or cannot be read; "too-large".
 */
export function openFile(path: string): OpenFile {
  const name = visible(path);
  const fd = openDescriptor(path, name);
  try {
    const stats = fstatSync(fd);
    if (stats.isDirectory())
      return { kind: "directory", source: memorySource(Buffer.alloc(0)), close: () => closeSync(fd) };
    if (!stats.isFile()) throw new Failure("io", `${name} is ${describeKind(stats)}, not a file`);
    return { kind: "file", source: openText(fd, stats.size, name), close: () => closeSync(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openDescriptor(path: string, name: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    // open(2): ENXIO is a socket, or a device that is not there.
    if (hasCode(error, "ENXIO"))
      throw new Failure("io", `${name} is a socket or a device, not a file`, { cause: error });
    const kind = hasCode(error, "ENOENT", "ENOTDIR") ? "not-found" : "io";
    throw new Failure(kind, `cannot read ${name || '""'}: ${reason(error)}`, { cause: error });
  }
}

function openText(fd: number, size: number, name: string): ByteSource {
  const start = readPiece(fd, Buffer.alloc(sniffBytes), 0, name);
  if (isBinary(start)) throw new Failure("io", `${name} is a binary file`);
  // proc(5) says 0 and sysfs 4096 whatever there is: only reading tells.
  const isSizeTrue = start.length === Math.min(size, sniffBytes);
  return isSizeTrue ? descriptorSource(fd, size, name) : memorySource(readUnsized(fd, name));
}

function readUnsized(fd: number, name: string): Buffer {
  let bytes = Buffer.alloc(64 * 1024);
  for (;;) {
    const piece = readPiece(fd, bytes, 0, name);
    if (piece.length < bytes.length) return piece;
    if (bytes.length >= unsizedBytes)
      throw new Failure("too-large", `${name} does not say its size and has more than 64 MiB`);
    bytes = Buffer.alloc(bytes.length * 4);
  }
}

/** NUL, or more than three in ten characters that are controls or no characters at all. */
function isBinary(start: Buffer): boolean {
  if (start.includes(0)) return true;
  const text = start.toString("utf8", 0, start.length < sniffBytes ? start.length : borderBefore(start, start.length));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls other than \b \t \n \f \r and ESC are what is counted.
  const strange = text.match(/[\x01-\x07\x0b\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g)?.length ?? 0;
  return strange > text.length * 0.3;
}

function describeKind(stats: Stats): string {
  if (stats.isFIFO()) return "a FIFO";
  return stats.isSocket() ? "a socket" : "a device";
}
