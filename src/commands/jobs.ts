/** `toolout jobs`: the background commands, newest first. */
import type { Io } from "../io.ts";
import { describeAge, describeState, jobDocument } from "../jobs/describe.ts";
import { jobsFor } from "../jobs/find.ts";
import type { JobRecord } from "../jobs/record.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import { dataDirectory } from "../paths.ts";
import { askerOf } from "../store/asker.ts";
import { uriOf } from "../store/reference.ts";
import { alignColumns, linesWithin } from "../text/table.ts";
import { formatDocument, visible } from "../text/visible.ts";

export interface JobsRequest {
  readonly json: boolean;
  readonly session?: string | undefined;
  readonly anySession?: boolean | undefined;
}

const mostNameCharacters = 80;
/** Room for the note that there are older ones. */
const noteBytes = 80;

/**
 * Prints the jobs that the asker may see, as many lines as the limits allow, all as JSON.
 * @returns The exit status, 0.
 * @throws Failure "io"
 */
export async function jobs(request: JobsRequest, limits: Limits, io: Io): Promise<number> {
  const asker = askerOf(request, io.env);
  const found = jobsFor(await dataDirectory(io.env), asker);
  if (request.json) io.stdout.write(formatDocument({ version: 1, jobs: found.map(jobDocument) }));
  else printLines(found, asker.anySession ? "no job" : "no job of this session", limits, io);
  return 0;
}

function printLines(found: readonly JobRecord[], nothing: string, limits: Limits, io: Io): void {
  if (found.length === 0) notice(io.stderr, nothing);
  const lines = alignColumns(
    found.map((job) => describe(job, io.now())),
    [2],
  );
  const room = { maxLines: Math.max(1, limits.maxLines - 1), maxBytes: limits.maxBytes - noteBytes };
  const isCut = linesWithin(lines, limits).length < lines.length;
  const shown = isCut ? linesWithin(lines, room) : lines;
  io.stdout.write(shown.map((line) => `${line}\n`).join(""));
  if (isCut) notice(io.stderr, "older ones are not listed here; --json lists all");
}

function describe(job: JobRecord, nowMs: number): string[] {
  const name = visible(job.name, mostNameCharacters);
  return [job.id, describeState(job), describeAge(job, nowMs), uriOf(job.output.id), name];
}
