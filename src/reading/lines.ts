/**
 * Where lines begin and end in a source of any size, found by scanning it in blocks. A byte loop is several times as quick
 * as Buffer.indexOf on short lines, where each call costs more than the bytes it skips; on one long line indexOf wins.
 */
import type { ByteSource } from "./source.ts";

const LF = 0x0a;
const blockBytes = 1024 * 1024;

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

/** Byte at which the last `count` lines before `end`, an end of a line or of the source, begin; 0 when there are fewer. */
export function lastLinesStart(source: ByteSource, count: number, end = source.size): number {
  const block = Buffer.allocUnsafe(Math.min(blockBytes, end));
  let left = count;
  for (let stop = end; stop > 0; ) {
    const at = Math.max(0, stop - blockBytes);
    const bytes = source.read(at, stop - at, block);
    for (let i = bytes.length - 1; i >= 0; i -= 1) {
      // The line feed at the very end closes the last line and starts none.
      if (bytes[i] === LF && at + i !== end - 1) left -= 1;
      if (left === 0) return at + i + 1;
    }
    stop = at;
  }
  return 0;
}

/** Byte after the line feed that ends the line at `offset`; the size of the source when the line has none. */
export function lineEnd(source: ByteSource, offset: number): number {
  // Most lines are short; only one that is not is worth large reads.
  for (let at = offset, length = 4096; at < source.size; length = blockBytes) {
    const bytes = source.read(at, length);
    const index = bytes.indexOf(LF);
    if (index >= 0) return at + index + 1;
    if (bytes.length === 0) break;
    at += bytes.length;
  }
  return source.size;
}
