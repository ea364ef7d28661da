/**
 * `toolout grep`: the lines that match, as `LINE:BYTE:text`. All are counted and as many are shown as fit; these are held
 * until the end of the search, when it is known whether a note needs room as well. The note leads on with grep.
 */
import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Limits } from "../limits.ts";
import { compilePattern, type LineMatcher } from "../matching/pattern.ts";
import { notice } from "../notice.ts";
import { type ShownLine, withContext } from "../reading/context.ts";
import { excerpt } from "../reading/excerpt.ts";
import { firstLineFrom, type LinePlace } from "../reading/lines.ts";
import { Rows } from "../reading/rows.ts";
import { type MatchingLine, searchLines, windowBytes } from "../reading/search.ts";
import { planSearch, type SearchPlan, type SearchRequest, searchOn } from "../reading/search-plan.ts";
import { openTarget, type Target, type TargetRequest } from "../reading/target.ts";
import { formatCount } from "../text/quantity.ts";
import { formatDocument, visible } from "../text/visible.ts";
import { visibleLines } from "../text/visible-lines.ts";

export interface GrepRequest extends TargetRequest, SearchRequest {
  /** Only say how many lines match. */
  readonly count?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** A search that is under way: what comes out is counted whether or not it is shown. */
interface Search {
  readonly request: GrepRequest;
  readonly plan: SearchPlan;
  readonly target: Target;
  readonly from: LinePlace;
  readonly matcher: LineMatcher;
  /** UTF-16 code units of a line's text. */
  readonly lineUnits: number;
}

/** Bytes of a document around its matches: at most 96, with numbers of 16 digits. */
const frameBytes = 120;

/**
 * Prints the lines that match, or with `count` only how many; with `json` one document, which has no context.
 * @returns The exit status: 0 when a line matched, 1 when none did.
 * @throws Failure
 */
export async function grep(request: GrepRequest, limits: Limits, io: Io): Promise<number> {
  const plan = planSearch(request, limits.maxLines);
  const matcher = await compilePattern(request.pattern, request);
  const target = await openTarget(request, io.env);
  try {
    if (target.kind === "directory") throw new Failure("usage", `${visible(request.target)} is a directory`);
    // However narrow the limits, one line of three-byte characters, or of escapes in JSON, fits.
    const lineUnits = Math.min(limits.lineChars, Math.floor(limits.maxBytes / 8));
    const from = firstLineFrom(target.source, plan.offset);
    const search = { request, plan, target, from, matcher, lineUnits };
    const print = request.count ? printCount : request.json ? printDocument : printLines;
    return print(search, limits, io) > 0 ? 0 : 1;
  } finally {
    target.close();
  }
}

function printCount(search: Search, _limits: Limits, io: Io): number {
  const { request, target } = search;
  let total = 0;
  for (const _ of matches(search)) total += 1;
  const lacks = target.lack !== null && { complete: false };
  io.stdout.write(request.json ? formatDocument({ version: 1, total, ...lacks }) : `${total}\n`);
  if (target.lack !== null && !request.json) notice(io.stderr, target.lack);
  return total;
}

function printLines(search: Search, limits: Limits, io: Io): number {
  const { request, plan, from, target } = search;
  const { source, words, lack } = target;
  const rows = new Rows<ShownLine & { text: string }>(limits.maxBytes, limits.maxLines);
  const show = io.stdout.isTerminal ? visibleLines : (text: string) => text;
  let total = 0;
  for (const line of withContext(source, matches(search), from, plan.context, () => rows.cutAt === null)) {
    if (line.kind === "match") total += 1;
    if (rows.cutAt !== null) continue;
    const text = show(`${describe(line, search)}\n`);
    rows.add({ item: { ...line, text }, bytes: Buffer.byteLength(text), offset: line.start });
  }
  const noteOf = (shown: number, offset: number | null) => {
    const counts = `${formatCount(shown)} of ${formatCount(total)} matching lines shown`;
    const parts = [
      lack,
      offset === null ? null : `${counts}; next: ${searchOn(request, plan, words, shown, offset)}`,
    ].filter((part) => part !== null);
    return parts.length === 0 ? "" : `toolout: ${parts.join("; ")}\n`;
  };
  if (lack !== null || rows.cutAt !== null) {
    const mostCountBytes = String(plan.maxCount).length; // what is left of it may need more room than when all are shown
    rows.makeRoom(Buffer.byteLength(noteOf(total, source.size)) + mostCountBytes, 1);
  }
  const { items, cutAt } = rows;
  io.stdout.write(items.map(({ text }) => text).join(""));
  io.stderr.write(noteOf(items.filter(({ kind }) => kind === "match").length, cutAt));
  return total;
}

function printDocument(search: Search, limits: Limits, io: Io): number {
  const rows = new Rows<{ line: number; offset: number; text: string }>(limits.maxBytes - frameBytes, limits.maxLines);
  let total = 0;
  for (const line of matches(search)) {
    total += 1;
    if (rows.cutAt !== null) continue;
    const item = { line: line.number, offset: line.start, text: textOf({ kind: "match", ...line }, search) };
    rows.add({ item, bytes: Buffer.byteLength(formatDocument(item)), offset: line.start });
  }
  const lacks = search.target.lack !== null && { complete: false };
  io.stdout.write(formatDocument({ version: 1, matches: rows.items, total, truncated: rows.cutAt !== null, ...lacks }));
  return total;
}

function* matches({ request, plan, target, from, matcher }: Search): Generator<MatchingLine, void> {
  let count = 0;
  for (const line of searchLines(target.source, matcher, from, request.inverted === true)) {
    yield line;
    count += 1;
    if (count >= plan.maxCount) return;
  }
}

function describe(line: ShownLine, search: Search): string {
  if (line.kind === "gap") return "--";
  const mark = line.kind === "match" ? ":" : "-";
  return `${line.number}${mark}${line.start}${mark}${textOf(line, search)}`;
}

function textOf(line: Exclude<ShownLine, { kind: "gap" }>, { target: { source }, matcher, lineUnits }: Search): string {
  return excerpt(source, line.start, line.end, lineUnits, () => {
    if (line.kind === "context") return line.start;
    const window = source.read(line.window, Math.min(windowBytes, line.end - line.window));
    const text = window.at(-1) === 0x0a ? window.subarray(0, -1) : window;
    return line.window + Math.max(0, matcher.locate(text));
  });
}
