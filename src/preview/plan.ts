import { countLines } from "../text/lines.ts";
import { utf16Units } from "../text/utf8.ts";
import { headEnd, tailStart } from "./cut.ts";
import { divide, type PreviewLimits } from "./shares.ts";

/** What a capture knows of an output once it has ended. */
export interface Captured {
  /** Bytes and lines of the whole output, exact whatever was kept. */
  readonly bytes: number;
  readonly lines: number;
  /** The first bytes of the output: all of it, or as many as any preview within the capture's limits may show. */
  readonly prefix: Buffer;
  /** The last bytes of the output, for an output over the limits; may overlap `prefix`. */
  readonly suffix: Buffer;
}

/** Bytes of a preview and what it leaves out; `omitted` is null when it is the whole output. */
export interface PreviewPlan {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly omitted: Omitted | null;
}

export interface Omitted {
  readonly bytes: number;
  /** Lines of which at least one byte is omitted. */
  readonly lines: number;
}

/**
 * An output of which only the first bytes can be had, all of them captured: its end is not shown, since what was captured
 * last is not its end.
 */
export function withoutEnd(captured: Captured, whole: Pick<Captured, "bytes" | "lines">): Captured {
  if (whole.bytes <= captured.bytes) return captured;
  return { bytes: whole.bytes, lines: whole.lines, prefix: captured.prefix, suffix: Buffer.alloc(0) };
}

/** Decides what of an output is shown; the same bytes give the same plan however they arrived. */
export function planPreview(captured: Captured, limits: PreviewLimits): PreviewPlan {
  if (fits(captured, limits)) return { head: captured.prefix, tail: Buffer.alloc(0), omitted: null };
  const shares = divide(limits);
  const head = captured.prefix.subarray(0, headEnd(captured.prefix, shares));
  const start = tailStart(captured.suffix, {
    lines: shares.tailLines,
    bytes: shares.bodyBytes - head.length,
    units: shares.bodyUnits === Number.POSITIVE_INFINITY ? shares.bodyUnits : shares.bodyUnits - utf16Units(head),
  });
  const tail = captured.suffix.subarray(start);
  const beginsInside = tail.length > 0 && start > 0 && captured.suffix[start - 1] !== 0x0a;
  const wholeLines = countLines(head) - Number(isUnfinished(head)) + countLines(tail) - Number(beginsInside);
  return {
    head,
    tail,
    omitted: { bytes: captured.bytes - head.length - tail.length, lines: captured.lines - wholeLines },
  };
}

/** True when the whole output may be shown. */
export function fits(captured: Captured, limits: PreviewLimits): boolean {
  if (captured.bytes > limits.maxBytes || captured.lines > limits.maxLines) return false;
  if (captured.prefix.length < captured.bytes) return false;
  return (
    limits.maxUnits === undefined || captured.bytes <= limits.maxUnits || utf16Units(captured.prefix) <= limits.maxUnits
  );
}

/** The last line of these bytes has no line end. */
function isUnfinished(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes[bytes.length - 1] !== 0x0a;
}
