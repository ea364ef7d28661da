/** `toolout read`: one page on stdout, raw, and where it goes on on stderr; or both in one document. Never stored. */

import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import { readBounded } from "../reading/bounds.ts";
import { type EntryPage, entryLine, pageOfEntries, readEntries } from "../reading/directory.ts";
import { readFilePage } from "../reading/file-page.ts";
import { lastLinesStart, lineStart } from "../reading/lines.ts";
import { type Page, type PageBounds, readPage } from "../reading/page.ts";
import { type PagePlan, type PageRequest, planPage } from "../reading/request.ts";
import { findTail } from "../reading/tail.ts";
import { openTarget, type Target, type TargetRequest } from "../reading/target.ts";
import { encodeContent } from "../text/content.ts";
import { countLineFeeds } from "../text/lines.ts";
import { formatCount } from "../text/quantity.ts";
import { formatDocument, visible } from "../text/visible.ts";
import { visibleBytes } from "../text/visible-lines.ts";

export interface ReadRequest extends TargetRequest, PageRequest {
  readonly json?: boolean | undefined;
}

/** A page, and where the part of a tail begins that did not fit before it (null when there is none). */
interface ShownPage extends Page {
  readonly before: number | null;
}

/** Where a page is in what it is of, as its document has it; all of them in bytes. */
export interface PagePlace {
  readonly offset: number;
  /** Something is before or behind it. */
  readonly truncated: boolean;
  readonly next: number | null;
}

/**
 * Prints one page of a stored output, of a file or of the names in a directory.
 * @param onPlace Is told the place of a page of bytes that was printed.
 * @returns The exit status, 0.
 * @throws Failure
 */
export async function read(
  request: ReadRequest,
  limits: Limits,
  io: Io,
  onPlace?: (place: PagePlace) => void,
): Promise<number> {
  const said = planPage(request);
  const opened = await openTarget(request, io.env);
  try {
    const { target, plan } = said.omitted ? omittedPart(opened, said) : { target: opened, plan: said };
    if (target.kind === "directory") showEntries(target, request, plan, limits, io);
    else if (!(await isPaged(target, request, plan, io))) {
      const place = showPage(target, request, plan, limits, io);
      onPlace?.(place);
    }
  } finally {
    opened.close();
  }
  return 0;
}

/** The target as if it ended where the end of its preview begins, and a plan to begin where the preview's head ends. */
function omittedPart(target: Target, plan: PagePlan): { target: Target; plan: PagePlan } {
  const { omitted, source, words } = target;
  if (omitted === null) {
    const what = target.kind === "stored" ? "this stored output does not tell what its preview showed" : "it is none";
    throw new Failure("usage", `--omitted reads what the preview of a stored output left out, and ${what}`);
  }
  const { from, to } = omitted;
  const read: Target["source"]["read"] = (offset, length, into) =>
    source.read(offset, Math.max(0, Math.min(length, to - offset)), into);
  return {
    target: { ...target, words: `${words} --omitted`, source: { size: to, read } },
    plan: { ...plan, offset: Math.max(from, plan.offset ?? 0) },
  };
}

/** A person at a terminal gets all that was asked for in the pager, unless a page of a certain size was asked for. */
async function isPaged(target: Target, { json = false }: ReadRequest, plan: PagePlan, io: Io): Promise<boolean> {
  if (json || plan.limitBytes !== undefined || !io.stdout.isTerminal || io.stdout.fd === null) return false;
  const { pagerCommand, showInPager } = await import("../process/pager.ts");
  const command = pagerCommand(io.env);
  if (command === null || !(await showInPager(command, piecesToShow(target, plan), io.env))) return false;
  if (target.lack !== null) notice(io.stderr, target.lack);
  return true;
}

const pieceBytes = 64 * 1024;

/** All that the plan asks for, as it may be sent to a terminal, piece by piece. */
function* piecesToShow({ source }: Target, { offset = 0, line, lines, tail }: PagePlan): Generator<string> {
  const start =
    tail !== undefined ? lastLinesStart(source, tail) : line === undefined ? offset : lineStart(source, line);
  let [at, linesLeft]: [number | null, number | undefined] = [start, lines];
  while (at !== null && linesLeft !== 0) {
    const page: Page = readPage(source, at, { limitBytes: pieceBytes, maxLines: linesLeft });
    yield visibleBytes(page.bytes);
    if (linesLeft !== undefined) linesLeft -= countLineFeeds(page.bytes);
    at = page.next;
  }
}

function showPage(target: Target, { json = false }: ReadRequest, plan: PagePlan, limits: Limits, io: Io): PagePlace {
  const size = target.source.size;
  const noteOf = (page: ShownPage) => pageNote(target, page.next, page.before);
  const longestNote = longer(pageNote(target, size, null), pageNote(target, null, size));
  const readPlain = pageReader(target, plan, limits);
  const isEscaped = io.stdout.isTerminal && !json && plan.limitBytes === undefined;
  const reader = isEscaped ? (bounds: PageBounds) => fitToShow(readPlain, bounds) : readPlain;
  const page = readBounded(plan, limits, json, reader, noteOf, longestNote);
  const { offset, bytes, before } = page;
  const next = page.next ?? (target.isGrowing ? offset + bytes.length : null);
  const truncated = next !== null || before !== null;
  const lacks = { ...(before !== null && { before }), ...(target.lack !== null && { complete: false }) };
  const place = { offset, truncated, next, ...lacks };
  if (!json) printRaw(bytes, noteOf(page), io);
  else io.stdout.write(formatDocument({ version: 1, resource: target.resource, ...encodeContent(bytes), ...place }));
  return place;
}

/** What is made visible takes more room than the bytes it stands for: the page is made smaller until it fits, too. */
function fitToShow(read: (bounds: PageBounds) => ShownPage, bounds: PageBounds): ShownPage {
  for (let { limitBytes } = bounds; ; ) {
    const page = read({ ...bounds, limitBytes });
    const shownBytes = Buffer.byteLength(visibleBytes(page.bytes));
    if (shownBytes <= bounds.limitBytes || page.bytes.length <= 1) return page;
    limitBytes = Math.max(
      1,
      Math.min(limitBytes - 1, Math.floor((page.bytes.length * bounds.limitBytes) / shownBytes)),
    );
  }
}

function pageReader(target: Target, plan: PagePlan, { lineChars }: Limits): (bounds: PageBounds) => ShownPage {
  const { tail } = plan;
  if (tail !== undefined) return (bounds) => readTail(target, tail, bounds, lineChars);
  const offset = plan.line === undefined ? (plan.offset ?? 0) : lineStart(target.source, plan.line);
  return (bounds) => ({ ...pageAt(target, offset, bounds, lineChars), before: null });
}

function readTail(target: Target, lines: number, bounds: PageBounds, lineChars: number): ShownPage {
  const { source } = target;
  const { wanted, offset } = findTail(source, lines, bounds);
  const page = pageAt(target, offset, bounds, lineChars);
  // Of a last line that fills the page alone and would be cut, the end is wanted, not the beginning.
  const isCut = page.offset + page.bytes.length < source.size;
  const { maxUnits = Number.POSITIVE_INFINITY } = bounds;
  if (isCut && maxUnits > lineChars && lastLinesStart(source, 1) <= offset) {
    return readTail(target, lines, { ...bounds, maxUnits: lineChars }, lineChars);
  }
  return { ...page, before: wanted < page.offset ? wanted : null };
}

function pageAt({ kind, source }: Target, offset: number, bounds: PageBounds, lineChars: number): Page {
  return kind === "file" ? readFilePage(source, offset, bounds, lineChars) : readPage(source, offset, bounds);
}

/** What a page leaves out; its last page also says what a copy kept in part never had. */
function pageNote({ source, words, lack, isGrowing }: Target, next: number | null, before: number | null): string {
  const size = formatCount(source.size);
  if (next !== null) return `toolout: up to byte ${formatCount(next)} of ${size}; next: ${readOn(words, next)}\n`;
  const earlier = before === null ? null : `the end of ${size} bytes; what comes before: ${readOn(words, before)}`;
  const later = isGrowing ? `next: ${readOn(words, source.size)}` : null;
  const parts = [lack, earlier, later].filter((part) => part !== null);
  return parts.length === 0 ? "" : `toolout: ${parts.join("; ")}\n`;
}

function longer(one: string, other: string): string {
  return one.length > other.length ? one : other;
}

function showEntries(target: Target, request: ReadRequest, plan: PagePlan, limits: Limits, io: Io): void {
  const option = (["line", "lines", "tail"] as const).find((name) => plan[name] !== undefined);
  if (option) throw new Failure("usage", `--${option} counts lines, and ${visible(request.target)} is a directory`);
  const { json = false } = request;
  const all = readEntries(request.target);
  const entriesAt = (bounds: PageBounds) => pageOfEntries(all, plan.offset ?? 0, bounds);
  const noteOf = ({ next }: Pick<EntryPage, "next">) =>
    next === null ? "" : `toolout: up to name ${next} of ${all.length}; next: ${readOn(target.words, next)}\n`;
  const page = readBounded(plan, limits, json, entriesAt, noteOf, noteOf({ next: all.length }));
  const { entries, offset, next } = page;
  const resource = { ...target.resource, size: all.length };
  if (!json) printRaw(Buffer.from(entries.map(entryLine).join("")), noteOf(page), io);
  else io.stdout.write(formatDocument({ version: 1, resource, entries, offset, truncated: next !== null, next }));
}

function readOn(words: string, offset: number): string {
  return `toolout read ${words} --offset ${offset}`;
}

/** The bytes as they are; to a terminal without what it would obey. */
function printRaw(bytes: Buffer, note: string, io: Io): void {
  io.stdout.write(io.stdout.isTerminal ? visibleBytes(bytes) : bytes);
  // On a terminal the note would otherwise stand behind the unfinished line that the page ends in.
  const isMidLine = io.stdout.isTerminal && io.stderr.isTerminal && bytes.length > 0 && bytes.at(-1) !== 0x0a;
  if (note !== "") io.stderr.write(isMidLine ? `\n${note}` : note);
}
