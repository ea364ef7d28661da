/** `toolout poll`: how a background command stands, and what it has printed, within the limits of now. */
import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import { describeJob, jobDocument } from "../jobs/describe.ts";
import { type Excerpt, excerptOf } from "../jobs/excerpt.ts";
import { findJob } from "../jobs/find.ts";
import { openJobOutput } from "../jobs/live.ts";
import { hasEnded, type JobRecord } from "../jobs/record.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import { dataDirectory } from "../paths.ts";
import { askerOf } from "../store/asker.ts";
import { uriOf } from "../store/reference.ts";
import { encodeContent } from "../text/content.ts";
import { parseInteger } from "../text/quantity.ts";
import { quote } from "../text/quote.ts";
import { formatDocument } from "../text/visible.ts";
import { visibleBytes } from "../text/visible-lines.ts";

export interface PollRequest {
  readonly job: string;
  /** Bytes, as it was given; the recent end when it was not. */
  readonly since: string | undefined;
  readonly json: boolean;
  readonly session?: string | undefined;
  readonly anySession?: boolean | undefined;
}

/** Room for the line that says how the job stands. */
const stateLineBytes = 200;

/**
 * Prints a line that says how the job stands and where to poll on, then the output: what came since the offset, or its
 * recent end; or all of it in one document.
 * @returns The exit status, 0 however the job stands.
 * @throws Failure
 */
export async function poll(request: PollRequest, limits: Limits, io: Io): Promise<number> {
  const since = parseSince(request.since);
  const directory = await dataDirectory(io.env);
  const job = findJob(directory, request.job, askerOf(request, io.env));
  const { maxBytes, maxLines, runChars, headPercent } = limits;
  const room = request.json
    ? { maxBytes, maxLines, maxUnits: runChars, headPercent }
    : {
        maxBytes: maxBytes - stateLineBytes,
        maxLines: Math.max(1, maxLines - 1),
        maxUnits: runChars === undefined ? undefined : runChars - stateLineBytes,
        headPercent,
      };
  const excerpt = look(directory, job, since, room);
  if (request.json) printDocument(job, excerpt, io);
  else printText(job, excerpt, io);
  if (job.trouble !== null) notice(io.stderr, job.trouble);
  return 0;
}

/** @throws Failure "usage" */
function parseSince(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const offset = parseInteger(text);
  if (offset !== undefined) return offset;
  throw new Failure("usage", `--since must be a whole number of bytes, 0 or more, not ${quote(text)}`);
}

function look(
  directory: string,
  job: JobRecord,
  since: number | undefined,
  room: Parameters<typeof excerptOf>[3],
): Excerpt | null {
  const view = openJobOutput(directory, job);
  if (view === null) return null;
  try {
    return excerptOf(view, job, since, room);
  } finally {
    view.close();
  }
}

function printDocument(job: JobRecord, excerpt: Excerpt | null, io: Io): void {
  const { content, offset, next, omitted } = excerpt ?? gone;
  const place = { offset, next, truncated: omitted !== null, omitted };
  io.stdout.write(formatDocument({ version: 1, job: jobDocument(job), ...encodeContent(content), ...place }));
}

const gone: Excerpt = { content: Buffer.alloc(0), offset: 0, next: 0, omitted: null };

function printText(job: JobRecord, excerpt: Excerpt | null, io: Io): void {
  const { content, next } = excerpt ?? gone;
  const onwards = hasEnded(job) ? uriOf(job.output.id) : `next: toolout poll ${job.id} --since ${next}`;
  const place = excerpt === null ? "its output is not stored" : onwards;
  io.stdout.write(`${describeJob(job, next, io.now())}; ${place}\n`);
  io.stdout.write(io.stdout.isTerminal ? visibleBytes(content) : content);
}
