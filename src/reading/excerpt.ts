import { prefixWithin, suffixWithin, utf16Units } from "../text/utf8.ts";
import type { ByteSource } from "./source.ts";

const LF = 0x0a;
const ellipsis = "…";

/** UTF-8 needs at most three bytes for a UTF-16 unit; ill-formed bytes need one. */
const bytesPerUnit = 3;

/**
 * The text of the line from byte `start` to `end` without its line end, cut to `mostUnits` (UTF-16, 4 or more) around a
 * place in it: `…` stands where something was left out.
 * @param findPlace Called only for a line that is cut.
 */
export function excerpt(
  source: ByteSource,
  start: number,
  end: number,
  mostUnits: number,
  findPlace: () => number,
): string {
  const textEnd = end > start && source.read(end - 1, 1)[0] === LF ? end - 1 : end;
  const mostBytes = mostUnits * bytesPerUnit;
  if (textEnd - start <= mostBytes) {
    const text = source.read(start, textEnd - start);
    if (utf16Units(text) <= mostUnits) return text.toString("utf8");
  }
  const place = findPlace();
  const room = mostUnits - 2 * ellipsis.length;
  const after = source.read(place, Math.min(mostBytes, textEnd - place));
  // What stands before a match says where one is; a quarter for it, and what the rest does not need.
  const unitsBefore = Math.max(Math.floor(room / 4), room - utf16Units(after));
  // One unit more than is used, since this read may begin inside a character.
  const from = Math.max(start, place - (unitsBefore + 1) * bytesPerUnit);
  const before = source.read(from, place - from);
  const left = before.subarray(suffixWithin(before, unitsBefore));
  const right = after.subarray(0, prefixWithin(after, room - utf16Units(left)));
  const isCutLeft = place - left.length > start;
  const isCutRight = place + right.length < textEnd;
  const text = Buffer.concat([left, right]).toString("utf8");
  return `${isCutLeft ? ellipsis : ""}${text}${isCutRight ? ellipsis : ""}`;
}
