/** `toolout run --yield`: as `run --merge` if the command ends in time, else as `run --background`. */
import type { Io } from "../io.ts";
import { readJob, removeJobRecord } from "../jobs/directory.ts";
import { findJob } from "../jobs/find.ts";
import { printHandOver } from "../jobs/hand-over.ts";
import { openJobOutput } from "../jobs/live.ts";
import { type JobRequest, orderFor } from "../jobs/order.ts";
import type { JobRecord } from "../jobs/record.ts";
import { requestStop } from "../jobs/requests.ts";
import { JobSignals } from "../jobs/signals.ts";
import { type StartedJob, startJob } from "../jobs/starter.ts";
import { storedKeeper } from "../jobs/stored-keeper.ts";
import type { Limits } from "../limits.ts";
import { BoundedOutput } from "../output/bounded.ts";
import { loadRedaction, redactionNotices } from "../output/redaction.ts";
import { printResults, type ResultRequest } from "../output/run-results.ts";
import { dataDirectory } from "../paths.ts";
import { stdinFor } from "../process/stdin.ts";
import { endAs } from "../process/supervise.ts";
import { managedDirectory, payloadName, recordName } from "../store/directory.ts";
import { readAt } from "../store/file.ts";
import { removeFiles } from "../store/removal.ts";
import { isTerminal } from "../stream/terminal.ts";
import { formatCount, formatDuration } from "../text/quantity.ts";

export interface YieldRequest extends JobRequest, ResultRequest {
  /** How long to stay with the command. */
  readonly yieldMs: number;
}

const pieceBytes = 256 * 1024;

/**
 * @returns What `run` would return; 0 when the command goes on as a job.
 * @throws Failure as `background`
 */
export async function runOrYield(request: YieldRequest, limits: Limits, io: Io): Promise<number | NodeJS.Signals> {
  const startedMs = performance.now();
  const directory = await dataDirectory(io.env);
  let id: string | undefined;
  const signals = new JobSignals(async () => {
    const record = id === undefined ? undefined : readJob(directory, id);
    if (record !== undefined) await requestStop(directory, record, 0);
  });
  try {
    const job = await startJob(request.command, orderFor(request, limits, directory), io.env, stdinOf(request, io));
    id = job.id;
    signals.start(readJob(directory, id)?.command ?? null);
    const hasEnded = await endsWithin(job, request.yieldMs);
    job.release();
    if (hasEnded) return await finish(directory, job.id, request, limits, io, startedMs);
  } finally {
    signals.release();
  }
  printHandOver(directory, id, request.format, io);
  return 0;
}

/** The command has no part in our terminal's session, and would only get EIO from it (credentials(7), termios(3)). */
function stdinOf({ takesInput }: YieldRequest, { stdin }: Io): number | null {
  return takesInput || isTerminal(stdin) ? null : stdinFor(stdin);
}

async function endsWithin(job: StartedJob, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const isTime = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1), false);
  });
  const hasEnded = await Promise.race([job.ended.then(() => true), isTime]);
  clearTimeout(timer);
  return hasEnded;
}

/** Prints the output as `run` would have; what was stored stays only where `run` would have stored it. */
async function finish(
  directory: string,
  id: string,
  request: YieldRequest,
  limits: Limits,
  io: Io,
  startedMs: number,
): Promise<number | NodeJS.Signals> {
  const job = findJob(directory, id, { session: undefined, anySession: true });
  const redaction = await loadRedaction(limits);
  const told = redaction === null ? request : { ...request, command: request.command.map(redaction.maskText) };
  const notices = new Set([...noticesOf(job, request), ...redactionNotices(job.redacted ?? 0)]);
  const sink = io.stdout;
  const output = new BoundedOutput({
    limits,
    maxUnits: limits.runChars,
    sink: request.format === "plain" ? sink : null,
    openStore: async () => storedKeeper(directory, job.output.id),
    onTrouble: (failure) => notices.add(failure.message),
    whole: { bytes: job.bytes ?? 0, lines: job.lines ?? 0, complete: job.complete !== false },
  });
  const size = await feed(directory, job, output);
  if (job.bytes !== null && size < job.bytes) {
    notices.add(`only the first ${formatCount(size)} of ${formatCount(job.bytes)} bytes of the output were kept`);
  }
  const exit = { code: job.exitCode, signal: job.signal };
  const ending = { exit, timedOut: job.state === "timed-out", endedBy: null };
  const isStored = await printResults({
    request: told,
    io,
    streams: [{ name: "output", sink, output }],
    ending,
    notices,
    startedMs,
  });
  await Promise.all([io.stdout.drained(), io.stderr.drained()]);
  if (job.state === "lost") return endAs(ending); // its record leads to what still runs
  if (!isStored) {
    removeFiles(managedDirectory(directory), [recordName(job.output.id), payloadName(job.output.id)]);
  }
  removeJobRecord(directory, id);
  return endAs(ending);
}

function noticesOf({ id, state, trouble }: JobRecord, { timeoutMs }: YieldRequest): string[] {
  return [
    ...(state === "timed-out" ? [`the command timed out after ${formatDuration(timeoutMs ?? 0)}`] : []),
    ...(state === "lost"
      ? [`${id} was lost: its supervisor was killed; what still runs is ended by toolout stop ${id}`]
      : []),
    ...(trouble === null ? [] : [trouble]),
  ];
}

/** Bytes that there were to be had. */
async function feed(directory: string, job: JobRecord, output: BoundedOutput): Promise<number> {
  const view = openJobOutput(directory, job);
  if (view === null) return 0;
  try {
    const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, view.size));
    for (let at = 0; at < view.size; ) {
      const bytes = readAt(view.fd, buffer, at);
      if (bytes.length === 0) break;
      at += bytes.length;
      await output.write(bytes);
      if (output.isDone) break;
    }
    return view.size;
  } finally {
    view.close();
  }
}
