/** `toolout write`: hands what comes on stdin to the stdin of a background command. */
import { closeSync, constants, existsSync, fstatSync, openSync } from "node:fs";
import { Failure, hasCode, reason } from "../errors.ts";
import type { Io } from "../io.ts";
import { jobPath } from "../jobs/directory.ts";
import { findJob } from "../jobs/find.ts";
import { hasEnded, type JobRecord } from "../jobs/record.ts";
import { lookUntil, requestEndOfInput } from "../jobs/requests.ts";
import { dataDirectory } from "../paths.ts";
import { askerOf } from "../store/asker.ts";
import type { Source } from "../stream/reading.ts";
import { FdSink } from "../stream/sink.ts";
import { readDescriptor } from "../stream/source.ts";

export interface WriteRequest {
  readonly job: string;
  /** Let the command see the end of its stdin afterwards. */
  readonly eof: boolean;
  readonly session?: string | undefined;
  readonly anySession?: boolean | undefined;
}

const highWaterBytes = 65_536;
const eofDeadlineMs = 30_000;

/**
 * Comes back when the command's pipe has taken all.
 * @returns The exit status, 0.
 * @throws Failure "usage" for a job without an open stdin, "io" when the command has stopped reading
 */
export async function write(request: WriteRequest, io: Io): Promise<number> {
  const directory = await dataDirectory(io.env);
  const job = findJob(directory, request.job, askerOf(request, io.env));
  const fd = openInput(directory, job);
  try {
    await copy(io.stdin, fd, job.id);
  } finally {
    closeSync(fd);
  }
  if (request.eof) await endInput(directory, job);
  return 0;
}

const { O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;

/** Without O_NONBLOCK opening a FIFO that nobody reads would wait (fifo(7)). */
function openInput(directory: string, job: JobRecord): number {
  if (hasEnded(job)) throw new Failure("usage", `${job.id} has ended`);
  if (!job.takesInput) {
    throw new Failure("usage", `${job.id} reads nothing`, { hint: "start it with toolout run --background --input" });
  }
  try {
    const fd = openSync(jobPath(directory, job.id, "stdin"), O_NOFOLLOW | O_NONBLOCK | O_WRONLY);
    if (fstatSync(fd).isFIFO()) return fd;
    closeSync(fd);
  } catch (error) {
    if (hasCode(error, "ENXIO")) throw noReader(job.id);
    if (!hasCode(error, "ENOENT"))
      throw new Failure("io", `cannot write to ${job.id}: ${reason(error)}`, { cause: error });
  }
  throw new Failure("usage", `the stdin of ${job.id} has been ended`);
}

async function copy(stdin: number, fd: number, id: string): Promise<void> {
  const sink = new FdSink(fd);
  const source: Source = readDescriptor(stdin, (bytes) => {
    sink.write(Buffer.from(bytes));
    return sink.pendingBytes > highWaterBytes ? sink.drained(highWaterBytes) : undefined;
  });
  sink.onGone(() => source.close());
  const fault = await source.ended;
  await sink.drained();
  if (sink.isClosed) throw noReader(id);
  if (sink.fault !== null)
    throw new Failure("io", `cannot write to ${id}: ${reason(sink.fault)}`, { cause: sink.fault });
  if (fault !== null) throw new Failure("io", `cannot read stdin: ${reason(fault)}`, { cause: fault });
}

function noReader(id: string): Failure {
  return new Failure("io", `${id} has stopped reading its stdin`);
}

async function endInput(directory: string, job: JobRecord): Promise<void> {
  requestEndOfInput(directory, job);
  const path = jobPath(directory, job.id, "stdin");
  const isDone = await lookUntil(() => !existsSync(path) || undefined, performance.now() + eofDeadlineMs);
  if (!isDone) throw new Failure("io", `the stdin of ${job.id} could not be ended`);
}
