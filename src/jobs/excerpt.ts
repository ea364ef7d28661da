/** What a poll shows of a job's output: what came since an offset, or its recent end, within the limits of now. */
import { Capture } from "../capture/capture.ts";
import { type Copy, markerText } from "../preview/marker.ts";
import { type Omitted, planPreview, withoutEnd } from "../preview/plan.ts";
import type { PreviewLimits } from "../preview/shares.ts";
import { readAt } from "../store/file.ts";
import { uriOf } from "../store/reference.ts";
import { countLineFeeds } from "../text/lines.ts";
import { borderAfter } from "../text/utf8.ts";
import type { JobOutputView } from "./live.ts";
import type { JobRecord } from "./record.ts";

export interface Excerpt {
  readonly content: Buffer;
  /** Where it begins, moved forward to a character border; the end of the output when asked for beyond. */
  readonly offset: number;
  /** Where what comes next will begin. */
  readonly next: number;
  readonly omitted: Omitted | null;
}

const pieceBytes = 256 * 1024;
const reachBytes = 3;

/**
 * @param since Bytes, 0 or more; undefined for the recent end of all there is.
 * Throws what the system says.
 */
export function excerptOf(
  view: JobOutputView,
  job: JobRecord,
  since: number | undefined,
  limits: PreviewLimits,
): Excerpt {
  const isShort = job.bytes !== null && job.bytes > view.size;
  // The recent end of an output whose end was not kept cannot be shown: its beginning is.
  const wanted = since === undefined ? { ...limits, headPercent: isShort ? 100 : 0 } : limits;
  const from = since === undefined ? 0 : borderIn(view, since);
  const capture = new Capture(wanted, () => {});
  const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, view.size - from));
  for (let at = from; at < view.size; ) {
    const bytes = readAt(view.fd, buffer.subarray(0, Math.min(buffer.length, view.size - at)), at);
    if (bytes.length === 0) break;
    capture.write(bytes);
    at += bytes.length;
  }
  const kept = capture.end();
  const captured = isShort ? withoutEnd(kept, rest(view, job, from)) : kept;
  const { head, tail, omitted } = planPreview(captured, wanted);
  const offset = { offset: from, next: from + kept.bytes };
  if (omitted === null) return { content: head, omitted, ...offset };
  const headEndsLine = head.length === 0 || head.at(-1) === 0x0a;
  const copy = copyOf(view, job);
  const marker = markerText({
    copy,
    bytes: job.bytes ?? view.size,
    omitted,
    headBytes: from + head.length,
    headEndsLine,
  });
  return { content: Buffer.concat([head, Buffer.from(marker), tail]), omitted, ...offset };
}

/** What the command printed from that byte on, kept or not. */
function rest(view: JobOutputView, { bytes, lines }: JobRecord, from: number): { bytes: number; lines: number } {
  let before = 0;
  const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, from));
  for (let at = 0; at < from; ) {
    const piece = readAt(view.fd, buffer.subarray(0, Math.min(buffer.length, from - at)), at);
    if (piece.length === 0) break;
    before += countLineFeeds(piece);
    at += piece.length;
  }
  return { bytes: (bytes ?? view.size) - from, lines: Math.max(1, (lines ?? 0) - before) };
}

function copyOf({ size }: JobOutputView, { complete, output }: JobRecord): Copy {
  const uri = uriOf(output.id);
  return complete === false ? { kind: "part", uri, keptBytes: size } : { kind: "whole", uri };
}

function borderIn({ fd, size }: JobOutputView, offset: number): number {
  if (offset >= size) return size;
  const from = Math.max(0, offset - reachBytes);
  const around = readAt(fd, Buffer.allocUnsafe(Math.min(size, offset + reachBytes) - from), from);
  return from + borderAfter(around, offset - from);
}
