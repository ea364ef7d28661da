import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import { dataDirectory } from "../paths.ts";
import { type Asker, askerOf } from "../store/asker.ts";
import { type FilterRequest, isFiltering, parseFilter } from "../store/filter.ts";
import { recordsFor } from "../store/find.ts";
import type { OutputRecord } from "../store/metadata.ts";
import { openStoredOutput } from "../store/open.ts";
import { quote } from "../text/quote.ts";
import { linesWithin } from "../text/table.ts";
import { formatDocument, visible } from "../text/visible.ts";

export interface ShowRequest extends FilterRequest {
  /** A URI, an id, a unique prefix of one, or `last`; the newest that the filter lets through when there is none. */
  readonly reference?: string | undefined;
  readonly json: boolean;
  readonly session?: string | undefined;
  readonly anySession?: boolean | undefined;
}

/** What one value may take of a terminal; JSON has it whole. */
const mostValueCharacters = 500;

/**
 * Prints the metadata of a stored output, which it checks as `read` does.
 * @returns The exit status, 0.
 * @throws Failure as `openStoredOutput`
 */
export async function show(request: ShowRequest, limits: Limits, io: Io): Promise<number> {
  const [directory, asker] = [await dataDirectory(io.env), askerOf(request, io.env)];
  const output = openStoredOutput(directory, chosen(directory, request, asker, io.now()), asker);
  output.close();
  if (request.json) io.stdout.write(formatDocument({ version: 1, resource: output.record }));
  else printLines(output.record, limits, io);
  return 0;
}

function chosen(directory: string, request: ShowRequest, asker: Asker, nowMs: number): string {
  const { reference = "last" } = request;
  if (!isFiltering(request)) return reference;
  if (request.reference !== undefined) {
    throw new Failure("usage", `${quote(reference)} and --since or --name exclude each other`);
  }
  const isMeant = parseFilter(request, nowMs);
  for (const record of recordsFor(directory, asker)) if (isMeant(record)) return record.uri;
  throw new Failure("not-found", "no stored output is as --since and --name ask");
}

function printLines(record: OutputRecord, limits: Limits, io: Io): void {
  const all = Object.entries(describe(record)).map(([key, value]) => `${key}: ${visible(value, mostValueCharacters)}`);
  const lines = linesWithin(all, limits);
  io.stdout.write(lines.map((line) => `${line}\n`).join(""));
  if (lines.length < all.length) notice(io.stderr, "the limits leave no room for the rest; --json shows all");
}

function describe(record: OutputRecord): Record<string, string> {
  return {
    uri: record.uri,
    name: record.name,
    mime: record.mime,
    size: `${record.size}`,
    bytes: `${record.bytes}`,
    lines: `${record.lines}`,
    complete: record.complete ? "yes" : "no",
    created: formatTime(record.created),
    session: record.sessionID === null ? "none" : "yes",
    call: record.toolCallID ?? "none",
    exit: `${record.exitCode ?? record.signal ?? "none"}`,
    crc32: record.crc32,
    ...(record.shown && { shown: `${record.shown.head} at the beginning, ${record.shown.tail} at the end` }),
    ...(record.redacted !== undefined && { redacted: `${record.redacted}` }),
    ...(record.command && { command: JSON.stringify(record.command) }),
  };
}

/** A record may hold any number; a Date only reaches 8.64e15 ms (ECMA-262, 21.4.1.1). */
function formatTime(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : `${ms}`;
}
