import type { Limits } from "../limits.ts";
import type { PageBounds } from "./page.ts";
import type { PagePlan } from "./request.ts";

/**
 * Calls `read` with the bounds of a page that is printed raw. A page with a note about what it leaves out is read once
 * more with room for that note, so that the two are inside `maxBytes` and `maxLines` even in one stream.
 * An explicit limit stands above all that, and a JSON document carries no note.
 * @param noteOf The note of a page, with its line end; "" for none.
 * @param longestNote A note at least as long as any.
 */
export function readBounded<Page>(
  plan: PagePlan,
  limits: Limits,
  isJson: boolean,
  read: (bounds: PageBounds) => Page,
  noteOf: (page: Page) => string,
  longestNote: string,
): Page {
  const { limitBytes, lines: maxLines } = plan;
  if (limitBytes !== undefined) return read({ limitBytes, maxLines });
  const { readBytes, readChars: maxUnits } = limits;
  if (isJson) return read({ limitBytes: readBytes, maxLines, maxUnits });
  const readWithin = (bytes: number, lines: number) =>
    read({ limitBytes: Math.min(readBytes, bytes), maxLines: Math.min(maxLines ?? lines, lines), maxUnits });
  const page = readWithin(limits.maxBytes, limits.maxLines);
  if (noteOf(page) === "") return page;
  return readWithin(limits.maxBytes - Buffer.byteLength(longestNote), Math.max(1, limits.maxLines - 1));
}
