import type { Io } from "../io.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import { dataDirectory } from "../paths.ts";
import { type Asker, askerOf } from "../store/asker.ts";
import { recordsFor } from "../store/find.ts";
import type { OutputRecord } from "../store/metadata.ts";
import { formatCount, formatDuration } from "../text/quantity.ts";
import { alignColumns, linesWithin } from "../text/table.ts";
import { formatDocument, visible } from "../text/visible.ts";

export interface ListRequest {
  readonly json: boolean;
  readonly session?: string | undefined;
  readonly anySession?: boolean | undefined;
}

const mostNameCharacters = 80;

/**
 * Prints the stored outputs that the asker may see, newest first; as many lines as the limits allow, all as JSON.
 * @returns The exit status, 0.
 * @throws Failure "io"
 */
export async function list(request: ListRequest, limits: Limits, io: Io): Promise<number> {
  const asker = askerOf(request, io.env);
  const records = recordsFor(await dataDirectory(io.env), asker);
  if (request.json) io.stdout.write(formatDocument({ version: 1, resources: [...records] }));
  else printLines(records, asker, limits, io);
  return 0;
}

/** Room for the note that there are older ones, so that both together stay inside the limits. */
const noteBytes = 80;

/** Reads no more records than there is room for: a store may hold a hundred thousand. */
function printLines(records: Iterable<OutputRecord>, asker: Asker, limits: Limits, io: Io): void {
  const rows: string[][] = [];
  let hasMore = false;
  let bytes = 0;
  for (const record of records) {
    hasMore = rows.length >= limits.maxLines || bytes > limits.maxBytes;
    if (hasMore) break;
    const row = describe(record, io.now());
    bytes += Buffer.byteLength(row.join("  ")) + 1;
    rows.push(row);
  }
  const all = alignColumns(rows, [1, 2, 3]);
  const isCut = hasMore || linesWithin(all, limits).length < rows.length;
  const room = { maxLines: Math.max(1, limits.maxLines - 1), maxBytes: limits.maxBytes - noteBytes };
  const lines = isCut ? linesWithin(all, room) : all;
  if (lines.length > 0) io.stdout.write(`${lines.join("\n")}\n`);
  if (rows.length === 0) notice(io.stderr, `no stored output${asker.anySession ? "" : " of this session"}`);
  else if (isCut) notice(io.stderr, "older ones are not listed here; --json lists all");
}

function describe(record: OutputRecord, nowMs: number): string[] {
  return [
    record.uri,
    formatAge(nowMs - record.created),
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

/** The age in its largest unit: `6d`, `3h`, `5m`, `0s`. */
function formatAge(ageMs: number): string {
  const unitMs = [86_400_000, 3_600_000, 60_000].find((unit) => ageMs >= unit) ?? 1000;
  return formatDuration(Math.max(0, Math.floor(ageMs / unitMs) * unitMs));
}
