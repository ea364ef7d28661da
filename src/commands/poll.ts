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
import type { PreviewLimits } from "../preview/shares.ts";
import { sessionWords } from "../reading/target.ts";
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
  /** Where the session was read from, which is said in its place. */
  readonly sessionFile?: string | undefined;
  readonly anySession?: boolean | undefined;
}

/** Room for the numbers in the line that says how the job stands, which are known only with the output. */
const numberBytes = 60;

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
  const { maxBytes, maxLines, runChars: maxUnits, headPercent } = limits;
  const whole = { maxBytes, maxLines, maxUnits, headPercent };
  if (request.json) printDocument(job, look(directory, job, since, whole), io);
  else {
    const lineBytes = Buffer.byteLength(stateLine(request, job, gone, io.now())) + numberBytes;
    const excerpt = look(directory, job, since, without(whole, lineBytes));
    printText(stateLine(request, job, excerpt, io.now()), excerpt?.content ?? gone.content, io);
  }
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

function look(directory: string, job: JobRecord, since: number | undefined, room: PreviewLimits): Excerpt | null {
  const view = openJobOutput(directory, job);
  if (view === null) return null;
  try {
    return excerptOf(view, job, since, room);
  } finally {
    view.close();
  }
}

/** What a line of so many bytes leaves. */
function without({ maxBytes, maxLines, maxUnits, headPercent }: PreviewLimits, bytes: number): PreviewLimits {
  return {
    maxBytes: Math.max(1, maxBytes - bytes),
    maxLines: Math.max(1, maxLines - 1),
    maxUnits: maxUnits === undefined ? undefined : Math.max(1, maxUnits - bytes),
    headPercent,
  };
}

function printDocument(job: JobRecord, excerpt: Excerpt | null, io: Io): void {
  const { content, offset, next, omitted } = excerpt ?? gone;
  const place = { offset, next, truncated: omitted !== null, omitted };
  io.stdout.write(formatDocument({ version: 1, job: jobDocument(job), ...encodeContent(content), ...place }));
}

const gone: Excerpt = { content: Buffer.alloc(0), offset: 0, next: 0, omitted: null };

function printText(line: string, content: Buffer, io: Io): void {
  io.stdout.write(line);
  io.stdout.write(io.stdout.isTerminal ? visibleBytes(content) : content);
}

function stateLine(request: PollRequest, job: JobRecord, excerpt: Excerpt | null, nowMs: number): string {
  const { next } = excerpt ?? gone;
  const words = ["toolout poll", job.id, ...sessionWords(request), "--since", next];
  const onwards = hasEnded(job) ? uriOf(job.output.id) : `next: ${words.join(" ")}`;
  return `${describeJob(job, next, nowMs)}; ${excerpt === null ? "its output is not stored" : onwards}\n`;
}
