/**
 * A page: bytes from an offset on, as many whole characters as its bounds allow. Borders of characters depend on three
 * bytes either side at most, so one positioned read that begins three bytes early and goes three bytes further tells both
 * ends; the page that begins where this one ends finds the same border there, and so pages join to the source.
 */
import { borderAfter, borderBefore, characterBytes, prefixWithin } from "../text/utf8.ts";
import type { ByteSource } from "./source.ts";

export interface PageBounds {
  /** Bytes, at least 1. */
  readonly limitBytes: number;
  /** Line feeds, at least 1. */
  readonly maxLines?: number | undefined;
  /** UTF-16 code units, at least 1. */
  readonly maxUnits?: number | undefined;
}

export interface Page {
  /** Where the page begins; the size of the source when it was asked for beyond. */
  readonly offset: number;
  readonly bytes: Buffer;
  /** Where the next page begins, null on the last. */
  readonly next: number | null;
}

const LF = 0x0a;
const reachBytes = 3;

/**
 * The page at `offset` (0 or more), moved forward to a character border. It is inside every bound, but holds one character
 * where none would fit: a page is empty only at the end.
 * @throws Failure "io"
 */
export function readPage(source: ByteSource, offset: number, bounds: PageBounds): Page {
  const end = { offset: source.size, bytes: Buffer.alloc(0), next: null };
  if (offset >= source.size) return end;
  const from = Math.max(0, offset - reachBytes);
  const length = offset - from + reachBytes + bounds.limitBytes + reachBytes;
  const around = source.read(from, length);
  const isAtEnd = around.length < length || from + around.length === source.size;
  const start = borderAfter(around, Math.min(offset - from, around.length));
  if (start === around.length && isAtEnd) return end;
  const stop = start + pageBytes(around.subarray(start), isAtEnd, bounds);
  const isLast = isAtEnd && stop === around.length;
  return { offset: from + start, bytes: around.subarray(start, stop), next: isLast ? null : from + stop };
}

function pageBytes(bytes: Buffer, isAtEnd: boolean, bounds: PageBounds): number {
  let end = isAtEnd && bytes.length <= bounds.limitBytes ? bytes.length : borderBefore(bytes, bounds.limitBytes);
  if (bounds.maxLines !== undefined) end = Math.min(end, linesEnd(bytes, bounds.maxLines));
  if (bounds.maxUnits !== undefined) end = prefixWithin(bytes.subarray(0, end), bounds.maxUnits);
  return end > 0 ? end : characterBytes(bytes, 0);
}

/** Where the first `count` lines of the bytes end; their length when there are fewer. */
function linesEnd(bytes: Buffer, count: number): number {
  let left = count;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === LF) left -= 1;
    if (left === 0) return at + 1;
  }
  return bytes.length;
}
