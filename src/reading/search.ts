/**
 * The lines that match, of a source of any size in constant memory. Whole lines are searched a block at a time. A line
 * longer than a block is searched in windows that overlap, so that a match is found wherever it lies, up to the length of
 * the overlap. A line end stands where a window cuts the line: `^` and `$` do not match there, and `.*` stops there.
 */

import { findLineWhere, type LineMatcher } from "../matching/pattern.ts";
import { countLineFeeds } from "../text/lines.ts";
import { type LinePlace, lineEnd } from "./lines.ts";
import type { ByteSource } from "./source.ts";

export interface MatchingLine {
  /** 1-based. */
  readonly number: number;
  /** Byte at which it begins, and the one after its line end. */
  readonly start: number;
  readonly end: number;
  /** Byte of the line from which on, within `windowBytes`, the match is found. */
  readonly window: number;
}

export const windowBytes = 1024 * 1024;
const overlapBytes = 64 * 1024;

const LF = 0x0a;
const lineFeed = Buffer.from("\n");
const nothing = Buffer.alloc(0);

/**
 * The lines from `from` on that match, or with `inverted` those that do not.
 * @throws Failure "io"
 */
export function* searchLines(
  source: ByteSource,
  matcher: LineMatcher,
  from: LinePlace,
  inverted: boolean,
): Generator<MatchingLine, void> {
  const block = Buffer.allocUnsafe(windowBytes);
  const find = inverted ? findOther(matcher) : matcher.findLine;
  let { number } = from;
  for (let at = from.start; at < source.size; ) {
    const bytes = source.read(at, windowBytes, block);
    if (bytes.length === 0) return;
    const isLast = at + bytes.length >= source.size;
    const lines = isLast ? bytes : bytes.subarray(0, bytes.lastIndexOf(LF) + 1);
    if (lines.length > 0) {
      yield* searchBlock(lines, at, number, find);
      number += countLineFeeds(lines);
      at += lines.length;
    } else {
      const line = searchLongLine(source, at, matcher);
      if ((line.window === null) === inverted) yield { number, start: at, end: line.end, window: line.window ?? at };
      number += 1;
      at = line.end;
    }
  }
}

function findOther({ matches }: LineMatcher): LineMatcher["findLine"] {
  return (lines, from) => findLineWhere(lines, from, (line) => !matches(line));
}

function* searchBlock(
  lines: Buffer,
  offset: number,
  first: number,
  find: LineMatcher["findLine"],
): Generator<MatchingLine, void> {
  let number = first;
  let counted = 0;
  for (let from = 0; from < lines.length; ) {
    const found = find(lines, from);
    if (found < 0) return;
    const start = found === 0 ? 0 : lines.lastIndexOf(LF, found - 1) + 1;
    const feed = lines.indexOf(LF, found);
    const end = feed < 0 ? lines.length : feed + 1;
    number += countLineFeeds(lines.subarray(counted, start));
    counted = start;
    yield { number, start: offset + start, end: offset + end, window: offset + start };
    from = end;
  }
}

/** Where the line at `start` ends, and the first window in which it matches (null for none). */
function searchLongLine(source: ByteSource, start: number, matcher: LineMatcher) {
  for (let at = start; ; at += windowBytes - overlapBytes) {
    const bytes = source.read(at, windowBytes);
    const feed = bytes.indexOf(LF);
    const isLast = feed >= 0 || at + bytes.length >= source.size || bytes.length === 0;
    const part = feed < 0 ? bytes : bytes.subarray(0, feed);
    const window = Buffer.concat([at > start ? lineFeed : nothing, part, isLast ? nothing : lineFeed]);
    const isMatch = matcher.matches(window);
    if (isMatch || isLast) return { end: lineEnd(source, at), window: isMatch ? at : null };
  }
}
