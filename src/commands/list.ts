import type { Io } from "../io.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import { dataDirectory } from "../paths.ts";
import { columnsOf } from "../process/window.ts";
import { type Asker, askerOf } from "../store/asker.ts";
import { type Filter, type FilterRequest, isFiltering, parseFilter } from "../store/filter.ts";
import { outputIDs, recordsFor } from "../store/find.ts";
import type { OutputRecord } from "../store/metadata.ts";
import { roundAge, roundSize } from "../text/person.ts";
import { formatCount } from "../text/quantity.ts";
import { alignColumns, linesWithin } from "../text/table.ts";
import { formatDocument, visible } from "../text/visible.ts";

export interface ListRequest extends FilterRequest {
  readonly json: boolean;
  readonly session?: string | undefined;
  readonly anySession?: boolean | undefined;
}

const mostNameCharacters = 80;
/** A prefix of an ID that names it has 8 characters or more; 10 leave it alone for a while. */
const shortestPrefix = 10;

/**
 * Prints the stored outputs that the asker may see, newest first; as many lines as the limits allow, all as JSON.
 * @returns The exit status, 0.
 * @throws Failure "io"
 */
export async function list(request: ListRequest, limits: Limits, io: Io): Promise<number> {
  const asker = askerOf(request, io.env);
  const isMeant = parseFilter(request, io.now());
  const directory = await dataDirectory(io.env);
  const records = only(recordsFor(directory, asker), isMeant);
  if (request.json) io.stdout.write(formatDocument({ version: 1, resources: [...records] }));
  else printLines(records, tableFor(directory, io), whatIsNot(request, asker), limits, io);
  return 0;
}

function* only(records: Iterable<OutputRecord>, isMeant: Filter): Generator<OutputRecord> {
  for (const record of records) if (isMeant(record)) yield record;
}

function whatIsNot(request: ListRequest, asker: Asker): string {
  const whose = asker.anySession ? "" : " of this session";
  return `no stored output${whose}${isFiltering(request) ? " is as --since and --name ask" : ""}`;
}

interface Table {
  readonly titles: readonly string[];
  readonly rightColumns: readonly number[];
  readonly describe: (record: OutputRecord) => string[];
  readonly mostColumns: number;
}

/** For a program, or a person who looks for a URI, each fact in full; on a terminal what fits a line of it. */
function tableFor(directory: string, io: Io): Table {
  if (!io.stdout.isTerminal) {
    const describe = (record: OutputRecord) => describeInFull(record, io.now());
    return { titles: [], rightColumns: [1, 2, 3], describe, mostColumns: Number.POSITIVE_INFINITY };
  }
  const shortID = idShortener(directory);
  return {
    titles: ["ID", "AGE", "SIZE", "LINES", "STATUS", "NAME"],
    rightColumns: [1, 2, 3],
    describe: (record) => [shortID(record.id), ...describeInShort(record, io.now())],
    mostColumns: columnsOf(io.stdout, io.env),
  };
}

/** The ID cut to where it is still the only one that begins so. */
function idShortener(directory: string): (id: string) => string {
  const ids = outputIDs(directory).sort();
  let length = shortestPrefix;
  for (const [i, id] of ids.entries()) {
    const before = ids[i - 1] ?? "";
    while (length < id.length && before.slice(0, length) === id.slice(0, length)) length += 1;
  }
  return (id) => id.slice(0, length);
}

/** Room for the note that there are older ones, so that both together stay inside the limits. */
const noteBytes = 80;

/** Reads no more records than there is room for: a store may hold a hundred thousand. */
function printLines(
  records: Iterable<OutputRecord>,
  { titles, rightColumns, describe, mostColumns }: Table,
  nothing: string,
  limits: Limits,
  io: Io,
): void {
  const rows: string[][] = [];
  let hasMore = false;
  let bytes = 0;
  for (const record of records) {
    hasMore = rows.length >= limits.maxLines || bytes > limits.maxBytes;
    if (hasMore) break;
    const row = describe(record);
    bytes += Buffer.byteLength(row.join("  ")) + 1;
    rows.push(row);
  }
  const titled = titles.length > 0 && rows.length > 0 ? [[...titles], ...rows] : rows;
  const all = alignColumns(titled, rightColumns).map((line) => cutTo(line, mostColumns));
  const isCut = hasMore || linesWithin(all, limits).length < all.length;
  const room = { maxLines: Math.max(1, limits.maxLines - 1), maxBytes: limits.maxBytes - noteBytes };
  const lines = isCut ? linesWithin(all, room) : all;
  if (lines.length > 0) io.stdout.write(`${lines.join("\n")}\n`);
  if (rows.length === 0) notice(io.stderr, nothing);
  else if (isCut) notice(io.stderr, "older ones are not listed here; --json lists all");
}

/** By columns, of which a character of East Asian scripts takes two (UAX 11); the end of what is cut is a sign of it. */
function cutTo(line: string, mostColumns: number): string {
  let columns = 0;
  let end = 0;
  for (const character of line) {
    columns += wide.test(character) ? 2 : 1;
    if (columns < mostColumns) end += character.length;
    if (columns > mostColumns) return `${line.slice(0, end)}…`;
  }
  return line;
}

const wide =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uff01-\uff60]/u;

function describeInShort(record: OutputRecord, nowMs: number): string[] {
  const age = `${roundAge(nowMs - record.created)} ago`;
  const name = visible(record.name, mostNameCharacters);
  return [age, roundSize(record.size), formatCount(record.lines), describeStatus(record), name];
}

function describeInFull(record: OutputRecord, nowMs: number): string[] {
  return [
    record.uri,
    roundAge(nowMs - record.created),
    `${formatCount(record.size)} ${record.size === 1 ? "byte" : "bytes"}`,
    `${formatCount(record.lines)} ${record.lines === 1 ? "line" : "lines"}`,
    describeStatus(record),
    visible(record.name, mostNameCharacters),
  ];
}

function describeStatus({ exitCode, signal, complete }: OutputRecord): string {
  const ending = signal === null ? (exitCode === null ? "-" : `exit ${exitCode}`) : visible(signal, 10);
  return complete ? ending : `${ending}, in part`;
}
