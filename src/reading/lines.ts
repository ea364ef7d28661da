/**
 * Where lines begin and end in a source of any size, found by scanning it in blocks: for many lines by a byte loop, for few
 * by Buffer.indexOf, which is quicker on long lines but costs more per call than it skips on short ones.
 */
import { countLineFeeds } from "../text/lines.ts";
import type { ByteSource } from "./source.ts";

/** The byte at which a line begins, and its number, counted from 1. */
export interface LinePlace {
  readonly start: number;
  readonly number: number;
}

const LF = 0x0a;
const blockBytes = 1024 * 1024;

/** Most lines are short: only those that turn out not to be are worth large reads. */
const firstBytes = 4096;

/** Byte at which line `line` (1-based) begins; the size of the source when it has no such line. */
export function lineStart(source: ByteSource, line: number): number {
  const block = Buffer.allocUnsafe(blockBytes);
  let left = line - 1;
  for (let at = 0; left > 0; ) {
    const bytes = source.read(at, blockBytes, block);
    if (bytes.length === 0) return source.size;
    for (let i = 0; i < bytes.length; i += 1) {
      if (bytes[i] === LF) left -= 1;
      if (left === 0) return at + i + 1;
    }
    at += bytes.length;
  }
  return 0;
}

/** The first line that begins at byte `offset` or after it; the end of the source when none does. */
export function firstLineFrom(source: ByteSource, offset: number): LinePlace {
  const start = offset === 0 ? 0 : lineEnd(source, offset - 1);
  const block = Buffer.allocUnsafe(blockBytes);
  let number = 1;
  for (let at = 0; at < start; ) {
    const bytes = source.read(at, Math.min(blockBytes, start - at), block);
    if (bytes.length === 0) break;
    number += countLineFeeds(bytes);
    at += bytes.length;
  }
  return { start, number };
}

/**
 * Byte at which the last `count` lines before `end`, an end of a line or of the source, begin; `floor`, a start of a line,
 * when there are fewer behind it.
 */
export function lastLinesStart(source: ByteSource, count: number, end = source.size, floor = 0): number {
  let left = count;
  for (let stop = end, length = firstBytes; stop > floor; length = blockBytes) {
    const at = Math.max(floor, stop - length);
    const bytes = source.read(at, stop - at);
    // The line feed at the very end closes the last line and starts none.
    for (let i = stop === end ? bytes.length - 1 : bytes.length; i > 0; ) {
      i = bytes.lastIndexOf(LF, i - 1);
      if (i >= 0) left -= 1;
      if (left === 0) return at + i + 1;
    }
    stop = at;
  }
  return floor;
}

/** Byte after the line feed that ends the line at `offset`; the size of the source when the line has none. */
export function lineEnd(source: ByteSource, offset: number): number {
  for (let at = offset, length = firstBytes; at < source.size; length = blockBytes) {
    const bytes = source.read(at, length);
    const index = bytes.indexOf(LF);
    if (index >= 0) return at + index + 1;
    if (bytes.length === 0) break;
    at += bytes.length;
  }
  return source.size;
}
