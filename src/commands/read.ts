/**
 * `toolout read`: one page on stdout, raw, and where it goes on on stderr. A page that says so takes the room of that note
 * from its own, so that both pass whole through another tool of the same limits.
 */
import { encodeContent } from "../content.ts";
import type { Io } from "../io.ts";
import type { Limits } from "../limits.ts";
import { formatCount } from "../quantity.ts";
import { Failure } from "../errors.ts";
import { countFitting, readEntries } from "../reading/directory.ts";
import { readFilePage } from "../reading/file-page.ts";
import { lineStart } from "../reading/lines.ts";
import { type Page, type PageBounds, readPage } from "../reading/page.ts";
import { type PagePlan, type PageRequest, planPage } from "../reading/request.ts";
import { findTail } from "../reading/tail.ts";
import { openTarget, type Target, type TargetRequest } from "../reading/target.ts";
import { formatDocument, visible } from "../visible.ts";

export interface ReadRequest extends TargetRequest, PageRequest {
  readonly json?: boolean | undefined;
}

/** A page, and where the part of a tail begins that did not fit before it (null when there is none). */
interface Shown extends Page {
  readonly before: number | null;
}

const entriesPerPage = 2000;

/**
 * Prints one page of a stored output, of a file or of a directory's names.
 * @returns The exit status, 0.
 * @throws Failure
 */
export async function read(request: ReadRequest, limits: Limits, io: Io): Promise<number> {
  const plan = planPage(request);
  const target = await openTarget(request, io.env);
  try {
    const isJson = request.json ?? false;
    if (target.kind === "directory") readDirectory(target, request, plan, limits, isJson, io);
    else if (isJson) printDocument(target, choosePage(target, plan, limits, isJson), io);
    else printRaw(target, choosePage(target, plan, limits, isJson), io);
  } finally {
    target.close();
  }
  return 0;
}

function choosePage(target: Target, plan: PagePlan, limits: Limits, isJson: boolean): Shown {
  const { source } = target;
  const start = plan.line === undefined ? (plan.offset ?? 0) : lineStart(source, plan.line);
  const pageFrom = (offset: number, bounds: PageBounds) =>
    target.kind === "file" ? readFilePage(source, offset, bounds, limits.lineChars) : readPage(source, offset, bounds);
  const show = (bounds: PageBounds): Shown => {
    if (plan.tail === undefined) return { ...pageFrom(start, bounds), before: null };
    const { wanted, offset } = findTail(source, plan.tail, bounds);
    const page = pageFrom(offset, bounds);
    return { ...page, before: wanted < page.offset ? wanted : null };
  };
  if (isJson || plan.limitBytes !== undefined) return show(freeBounds(plan, limits));
  const whole = show(fittedBounds(plan, limits, ""));
  return noteOf(target, whole) === "" ? whole : show(fittedBounds(plan, limits, longestNote(target)));
}

function freeBounds({ limitBytes, lines }: PagePlan, limits: Limits): PageBounds {
  if (limitBytes !== undefined) return { limitBytes, maxLines: lines };
  return { limitBytes: limits.readBytes, maxLines: lines, maxUnits: limits.readChars };
}

/** Bounds that leave room for the note. */
function fittedBounds({ lines }: PagePlan, limits: Limits, note: string): PageBounds {
  return {
    limitBytes: Math.min(limits.readBytes, limits.maxBytes - Buffer.byteLength(note)),
    maxLines: Math.min(lines ?? Number.POSITIVE_INFINITY, Math.max(1, limits.maxLines - (note === "" ? 0 : 1))),
    maxUnits: limits.readChars,
  };
}

function printRaw(target: Target, page: Shown, io: Io): void {
  io.stdout.write(page.bytes);
  const note = noteOf(target, page);
  // On a terminal the note would otherwise stand behind the unfinished line that the page ends in.
  const isMidLine = io.stdout.isTerminal && io.stderr.isTerminal && page.bytes.at(-1) !== 0x0a;
  if (note !== "") io.stderr.write(isMidLine ? `\n${note}` : note);
}

function printDocument(target: Target, page: Shown, io: Io): void {
  const { offset, bytes, next, before } = page;
  const place = { offset, truncated: next !== null || before !== null, next, ...(before !== null && { before }) };
  io.stdout.write(formatDocument({ version: 1, resource: target.resource, ...encodeContent(bytes), ...place }));
}

function noteOf(target: Target, { next, before }: Pick<Shown, "next" | "before">): string {
  const size = formatCount(target.source.size);
  if (next !== null) {
    return `toolout: up to byte ${formatCount(next)} of ${size}; next: toolout read ${target.words} --offset ${next}\n`;
  }
  if (before === null) return "";
  return `toolout: the end of ${size} bytes; what comes before: toolout read ${target.words} --offset ${before}\n`;
}

function longestNote(target: Target): string {
  const { size } = target.source;
  const next = noteOf(target, { next: size, before: null });
  const before = noteOf(target, { next: null, before: size });
  return next.length > before.length ? next : before;
}

function readDirectory(
  target: Target,
  request: ReadRequest,
  plan: PagePlan,
  limits: Limits,
  isJson: boolean,
  io: Io,
): void {
  const option = (["line", "lines", "tail"] as const).find((name) => plan[name] !== undefined);
  if (option) throw new Failure("usage", `--${option} is for lines, and ${visible(request.target)} is a directory`);
  const entries = readEntries(request.target);
  const lines = entries.map((entry) => `${visible(entry)}\n`);
  const offset = Math.min(plan.offset ?? 0, entries.length);
  const pageFor = (note: string) => {
    const isFitted = !isJson && plan.limitBytes === undefined;
    const most = isFitted ? Math.min(entriesPerPage, fittedBounds(plan, limits, note).maxLines ?? 1) : entriesPerPage;
    const limitBytes = isFitted
      ? fittedBounds(plan, limits, note).limitBytes
      : (plan.limitBytes ?? limits.readBytes);
    const end = offset + countFitting(lines.slice(offset, offset + most), limitBytes);
    return { end, next: end < entries.length ? end : null };
  };
}
