/**
 * A page of a file: as a page of anything, but a line over `lineUnits` is cut, with a note in its place that says where
 * its rest begins. A page is read, and its lines are walked: one that is cut leaves room, and the page is read on behind
 * that line. A cut line with its note is shorter than the line was, in bytes and in units, so that what is shown is always
 * inside the bounds that its bytes were read with; an unfinished last line is taken back and read again with the room
 * that the cuts have left. Without long lines this is `readPage`.
 */
import { formatCount } from "../text/quantity.ts";
import { prefixWithin, utf16Units } from "../text/utf8.ts";
import { lineEnd } from "./lines.ts";
import { type Page, type PageBounds, readPage } from "./page.ts";
import type { ByteSource } from "./source.ts";

const LF = 0x0a;

/**
 * The page at `offset`; `bytes` are what to show, `next` a place in the file.
 * @param lineUnits UTF-16 code units of a line with its note, 80 or more.
 * @throws Failure "io"
 */
export function readFilePage(source: ByteSource, offset: number, bounds: PageBounds, lineUnits: number): Page {
  const shown: Buffer[] = [];
  const first = readPage(source, offset, bounds);
  let page = first;
  let room = bounds;
  for (;;) {
    const walk = walkLines(source, page, lineUnits);
    shown.push(...(walk.hasCut ? walk.shown : [page.bytes]));
    const next = walk.hasCut ? walk.next : page.next;
    const result = { offset: first.offset, bytes: Buffer.concat(shown), next };
    if (!walk.hasCut || next === null) return result;
    room = roomLeft(room, walk.shown);
    if (room.limitBytes < 1 || room.maxLines === 0 || room.maxUnits === 0) return result;
    page = readPage(source, next, room);
    // A page holds one character even where there is no room for it.
    if (page.bytes.length > room.limitBytes || isOver(page.bytes, room.maxUnits)) return result;
  }
}

interface Walk {
  readonly hasCut: boolean;
  /** Whole and cut lines. */
  readonly shown: Buffer[];
  /** Where to read on: behind the last of them. */
  readonly next: number | null;
}

function walkLines(source: ByteSource, page: Page, lineUnits: number): Walk {
  const shown: Buffer[] = [];
  let hasCut = false;
  let at = 0;
  while (at < page.bytes.length) {
    const feed = page.bytes.indexOf(LF, at);
    const line = page.bytes.subarray(at, feed < 0 ? page.bytes.length : feed);
    if (isOver(line, lineUnits)) {
      const start = page.offset + at;
      const end = lineEnd(source, start);
      shown.push(cutLine(source, line, start, end, lineUnits));
      hasCut = true;
      at = end - page.offset;
    } else if (feed < 0 && page.next !== null) break;
    else {
      shown.push(page.bytes.subarray(at, at + line.length + 1));
      at += line.length + 1;
    }
  }
  const next = page.offset + Math.min(at, source.size - page.offset);
  return { hasCut, shown, next: next === source.size ? null : next };
}

function cutLine(source: ByteSource, line: Buffer, start: number, end: number, lineUnits: number): Buffer {
  const noteUnits = cutNote(source.size, source.size).length;
  const kept = Math.max(1, prefixWithin(line, lineUnits - noteUnits));
  const feed = source.read(end - 1, 1)[0] === LF ? "\n" : "";
  const note = cutNote(end - feed.length - start - kept, start + kept);
  return Buffer.concat([line.subarray(0, kept), Buffer.from(note + feed)]);
}

/** ASCII, so that it is as many bytes as units. */
function cutNote(bytes: number, offset: number): string {
  return `... (${formatCount(bytes)} bytes cut; read on with --offset ${offset})`;
}

function isOver(bytes: Buffer, units: number | undefined): boolean {
  return units !== undefined && bytes.length > units && utf16Units(bytes) > units;
}

function roomLeft(room: PageBounds, shown: readonly Buffer[]): PageBounds {
  const bytes = Buffer.concat(shown);
  const feeds = shown.filter((line) => line.at(-1) === LF).length;
  return {
    limitBytes: room.limitBytes - bytes.length,
    maxLines: room.maxLines && room.maxLines - feeds,
    maxUnits: room.maxUnits && Math.max(0, room.maxUnits - utf16Units(bytes)),
  };
}
