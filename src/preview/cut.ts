/**
 * Where the head of a preview ends and where its tail begins.
 * Both are cut at line ends, unless that would throw away more than half of what fits on that side; then the line is cut
 * inside, at a character border and never between CR and LF.
 */
import { borderAfter, borderBefore, prefixWithin, suffixWithin } from "../text/utf8.ts";
import type { Shares } from "./shares.ts";

const LF = 0x0a;
const CR = 0x0d;

/** End of the head in `prefix`, the first bytes of an output that is over its limits. */
export function headEnd(prefix: Uint8Array, shares: Shares): number {
  const fit = fittingPrefix(prefix, shares);
  const linesEnd = endOfLines(prefix, shares.headLines, fit);
  if (linesEnd !== -1) return linesEnd;
  const lineEnd = fit === 0 ? 0 : prefix.lastIndexOf(LF, fit - 1) + 1;
  if (lineEnd * 2 >= fit) return lineEnd;
  return Math.max(lineEnd, cutBefore(prefix, fit));
}

/** What of the body is left for the tail. */
export interface TailRoom {
  readonly lines: number;
  readonly bytes: number;
  readonly units: number;
}

/** Bytes that the tail's cut looks at before the first byte it may keep: a character's beginning, a CR, a line end. */
export const lookBehindBytes = 4;

/**
 * Start of the tail in `suffix`, the last bytes of an output that is over its limits: all of it, or at least
 * `room.bytes` and `lookBehindBytes` more.
 */
export function tailStart(suffix: Uint8Array, room: TailRoom): number {
  if (room.lines === 0) return suffix.length;
  const fit = fittingSuffix(suffix, room);
  const linesStart = startOfLines(suffix, room.lines, fit);
  if (linesStart !== -1) return linesStart;
  if (fit > 0 && suffix[fit - 1] === LF) return fit;
  const lineEnd = suffix.indexOf(LF, fit);
  const lineStart = lineEnd === -1 ? suffix.length : lineEnd + 1;
  if ((suffix.length - lineStart) * 2 >= suffix.length - fit) return lineStart;
  return cutAfter(suffix, fit);
}

function fittingPrefix(prefix: Uint8Array, shares: Shares): number {
  const bytes = Math.min(prefix.length, shares.headBytes);
  if (shares.headUnits >= bytes) return bytes;
  return prefixWithin(prefix.subarray(0, bytes), shares.headUnits);
}

function fittingSuffix(suffix: Uint8Array, room: TailRoom): number {
  const start = Math.max(0, suffix.length - room.bytes);
  if (room.units >= suffix.length - start) return start;
  return Math.max(start, suffixWithin(suffix, room.units));
}

/** End of the first `lines` lines, or -1 when they reach past `limit`. */
function endOfLines(bytes: Uint8Array, lines: number, limit: number): number {
  let end = 0;
  for (let i = 0; i < lines; i += 1) {
    end = bytes.indexOf(LF, end) + 1;
    if (end === 0 || end > limit) return -1;
  }
  return end;
}

/** Start of the last `lines` lines, or -1 when they begin before `limit`. */
function startOfLines(bytes: Uint8Array, lines: number, limit: number): number {
  let start = bytes.length;
  for (let i = 0; i < lines; i += 1) {
    if (start <= limit) return -1;
    // Every line but an unfinished last one ends in the byte before `start`; begin the search in front of it.
    start = start < 2 ? 0 : bytes.lastIndexOf(LF, start - 2) + 1;
    if (start < limit) return -1;
  }
  return start;
}

function cutBefore(bytes: Uint8Array, at: number): number {
  const border = borderBefore(bytes, at);
  return bytes[border - 1] === CR && bytes[border] === LF ? border - 1 : border;
}

function cutAfter(bytes: Uint8Array, at: number): number {
  const border = borderAfter(bytes, at);
  return bytes[border - 1] === CR && bytes[border] === LF ? border + 1 : border;
}
