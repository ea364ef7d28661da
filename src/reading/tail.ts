/**
 * The last lines of a source. Where they are larger than a page, the page shows their true end: it starts at a line if
 * that keeps at least half of what fits, and inside a line otherwise.
 */
import { borderAfter, suffixWithin } from "../text/utf8.ts";
import { lastLinesStart } from "./lines.ts";
import type { PageBounds } from "./page.ts";
import type { ByteSource } from "./source.ts";

export interface TailPlace {
  /** Byte at which the lines asked for begin. */
  readonly wanted: number;
  /** Byte from which on they fit; `wanted` when they all do. */
  readonly offset: number;
}

const LF = 0x0a;

/**
 * Where the last `lines` (1 or more) lines, or what fits of them, begin.
 * @throws Failure "io"
 */
export function findTail(source: ByteSource, lines: number, bounds: PageBounds): TailPlace {
  const wanted = lastLinesStart(source, lines);
  const maxLines = Math.min(lines, bounds.maxLines ?? lines);
  const earliest = maxLines < lines ? lastLinesStart(source, maxLines) : wanted;
  const from = Math.max(earliest, source.size - bounds.limitBytes);
  const before = Math.max(0, from - 3);
  const around = source.read(before, source.size - before);
  const start = from === earliest ? from - before : borderAfter(around, from - before);
  const fits = start + suffixWithin(around.subarray(start), bounds.maxUnits ?? Number.POSITIVE_INFINITY);
  return { wanted, offset: before + fits === earliest ? earliest : before + lineIn(around, fits) };
}

/** The first start of a line at or after `index` that keeps half of the bytes from there; else `index`. */
function lineIn(bytes: Buffer, index: number): number {
  const start = index === 0 ? 0 : bytes.indexOf(LF, index - 1) + 1;
  const isKeepingHalf = bytes.length - start >= (bytes.length - index) / 2;
  return start >= index && isKeepingHalf ? start : index;
}
