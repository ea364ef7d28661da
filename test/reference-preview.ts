/**
 * What a preview must be, written as plainly as possible and without regard to speed: the properties compare the real one,
 * which sees the output in pieces and keeps only its ends, with this.
 */

import type { PreviewLimits } from "../src/preview/shares.ts";
import { borderAfter, borderBefore, characterBytes, characterUnits } from "../src/text/utf8.ts";

export interface ReferencePreview {
  head: Buffer;
  tail: Buffer;
  isWhole: boolean;
}

export function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed + 1;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

export function units(bytes: Buffer): number {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).length;
}

export function referencePreview(output: Buffer, limits: PreviewLimits): ReferencePreview {
  const lines = splitLines(output);
  const maxUnits = limits.maxUnits ?? Number.POSITIVE_INFINITY;
  const isWhole = output.length <= limits.maxBytes && lines.length <= limits.maxLines && units(output) <= maxUnits;
  if (isWhole) return { head: output, tail: Buffer.alloc(0), isWhole };
  const shown = Math.max(1, limits.maxLines - 4);
  const headLines = Math.ceil((shown * limits.headPercent) / 100);
  const bodyBytes = limits.maxBytes - 300;
  const bodyUnits = maxUnits - 300;
  const half = (room: number) => (limits.headPercent === 0 ? 0 : Math.floor((room * limits.headPercent) / 100));
  const head = takeHead(output, lines, headLines, half(bodyBytes), half(bodyUnits));
  const tail = takeTail(output, lines, shown - headLines, bodyBytes - head.length, bodyUnits - units(head));
  return { head, tail, isWhole };
}

function takeHead(output: Buffer, lines: Buffer[], count: number, bytes: number, unitRoom: number): Buffer {
  const whole = sum(lines.slice(0, count));
  const fit = Math.min(bytes, fitting(output, unitRoom));
  if (whole <= fit) return output.subarray(0, whole);
  let lineEnd = 0;
  for (const line of lines) {
    if (lineEnd + line.length > fit || line.at(-1) !== 0x0a) break;
    lineEnd += line.length;
  }
  if (lineEnd * 2 >= fit) return output.subarray(0, lineEnd);
  let cut = borderBefore(output, fit);
  if (output[cut - 1] === 0x0d && output[cut] === 0x0a) cut -= 1;
  return output.subarray(0, Math.max(lineEnd, cut));
}

function takeTail(output: Buffer, lines: Buffer[], count: number, bytes: number, unitRoom: number): Buffer {
  if (count === 0) return Buffer.alloc(0);
  const wholeStart = output.length - sum(lines.slice(-count));
  let fitStart = output.length;
  while (fitStart > 0 && output.length - fitStart < bytes && units(output.subarray(fitStart - 1)) <= unitRoom)
    fitStart -= 1;
  // A step back into a character may cost more units than the whole of it, so look three bytes further.
  for (let at = Math.max(0, fitStart - 3, output.length - bytes); at < fitStart; at += 1) {
    if (units(output.subarray(at)) <= unitRoom) fitStart = at;
  }
  if (wholeStart >= fitStart) return output.subarray(wholeStart);
  let lineStart = fitStart;
  if (fitStart > 0 && output[fitStart - 1] !== 0x0a) {
    const feed = output.indexOf(0x0a, fitStart);
    lineStart = feed === -1 ? output.length : feed + 1;
  }
  if ((output.length - lineStart) * 2 >= output.length - fitStart) return output.subarray(lineStart);
  let cut = borderAfter(output, fitStart);
  if (output[cut - 1] === 0x0d && output[cut] === 0x0a) cut += 1;
  return output.subarray(cut);
}

function fitting(output: Buffer, unitRoom: number): number {
  let used = 0;
  let at = 0;
  while (at < output.length) {
    const length = characterBytes(output, at);
    used += characterUnits(output, at, length);
    if (used > unitRoom) return at;
    at += length;
  }
  return at;
}

function sum(lines: readonly Buffer[]): number {
  return lines.reduce((total, line) => total + line.length, 0);
}
