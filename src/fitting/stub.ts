/** The texts that stand in place of a content that does not fit. */
import { headEnd, tailStart } from "../preview/cut.ts";
import { type Copy, describeCopy, markerOpening, nextStep, plural } from "../preview/marker.ts";

/** UTF-16 code units of each end that a stub shows, at most. */
export const endUnits = 1024;
/** UTF-8 has at most 3 bytes for a unit; a cut looks at a few bytes more. */
const endBytes = 3 * endUnits + 8;

export interface Ends {
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** Both ends of a text, cut at line ends where that leaves half of them, never inside a character; they do not overlap. */
export function endsOf(bytes: Buffer): Ends {
  const unbounded = Number.POSITIVE_INFINITY;
  const shares = { headLines: unbounded, tailLines: unbounded, bodyBytes: unbounded, headBytes: unbounded };
  const end = headEnd(bytes.subarray(0, endBytes), { ...shares, headUnits: endUnits, bodyUnits: unbounded });
  const rest = bytes.subarray(end).subarray(-endBytes);
  const tail = rest.subarray(tailStart(rest, { lines: unbounded, bytes: unbounded, units: endUnits }));
  return { head: bytes.subarray(0, end), tail };
}

/** What can be had besides the stub, and how much there was. */
export interface StubFacts {
  readonly ends: Ends;
  readonly copy: Copy;
  /** Bytes and lines of the stored output where there is one, else of the content. */
  readonly bytes: number;
  readonly lines: number;
  /** Bytes of the output that the content was a part of, where that cannot be had; else `bytes`. */
  readonly wholeBytes: number;
  /** Where to read on in the stored output. */
  readonly offset: number;
}

/** Both ends and between them the marker, with totals in place of what is omitted. */
export function stubText({ ends, copy, bytes, lines, wholeBytes, offset }: StubFacts): string {
  const { head, tail } = ends;
  const opening = markerOpening(head.length === 0 || head.at(-1) === 0x0a);
  const what = wholeBytes === bytes ? "in all" : "in this part";
  const totals = `${plural(lines, "line")} (${plural(bytes, "byte")}) ${what}${nextStep(copy, offset)}`;
  return `${head}${opening}${describeCopy(copy, wholeBytes)} ...\n... ${totals} ...\n\n${tail}`;
}

/**
 * What is said in place of a result that is given up, longest first.
 * @param copy What a command had stored of it; null when nothing can be had.
 */
export function errorTexts(bytes: number, copy: Copy | null): [...string[], string] {
  const short = "Error: result too long for the context";
  const size = `${short} (${plural(bytes, "byte")})`;
  const plain: [...string[], string] = [`${size}; ask for less of it.`, `${size}.`, `${short}.`, "Error: too long"];
  return copy === null ? plain : [`${size}; ${describeCopy(copy, bytes)}${nextStep(copy, 0)}`, ...plain];
}
