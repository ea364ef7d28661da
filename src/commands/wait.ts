/** `toolout wait`: until a background command has ended; then as `run` would have ended. */
import type { Io } from "../io.ts";
import { jobDocument } from "../jobs/describe.ts";
import { findJob } from "../jobs/find.ts";
import { hasEnded } from "../jobs/record.ts";
import { lookUntil } from "../jobs/requests.ts";
import { notice } from "../notice.ts";
import { dataDirectory } from "../paths.ts";
import { endAs } from "../process/supervise.ts";
import { askerOf } from "../store/asker.ts";
import { formatDuration } from "../text/quantity.ts";
import { formatDocument } from "../text/visible.ts";

export interface WaitRequest {
  readonly job: string;
  /** Undefined waits for ever. */
  readonly timeoutMs: number | undefined;
  readonly json: boolean;
  readonly session?: string | undefined;
  readonly anySession?: boolean | undefined;
}

/**
 * @returns The command's status, or the signal that toolout should die of as it did; 124 when the job timed out or still
 * goes on after `timeoutMs`, 1 for a job that was lost.
 * @throws Failure
 */
export async function wait(request: WaitRequest, io: Io): Promise<number | NodeJS.Signals> {
  const [directory, asker] = [await dataDirectory(io.env), askerOf(request, io.env)];
  const { timeoutMs = Number.POSITIVE_INFINITY } = request;
  let job = findJob(directory, request.job, asker);
  await lookUntil(() => {
    job = findJob(directory, request.job, asker);
    return hasEnded(job) || undefined;
  }, performance.now() + timeoutMs);
  if (request.json) io.stdout.write(formatDocument({ version: 1, job: jobDocument(job) }));
  if (!hasEnded(job)) {
    notice(io.stderr, `${job.id} still goes on after ${formatDuration(timeoutMs)}`);
    return 124;
  }
  if (job.state === "lost") {
    notice(io.stderr, `${job.id} was lost: its supervisor was killed, and nobody knows how the command ended`);
    return 1;
  }
  const exit = { code: job.exitCode, signal: job.signal };
  return endAs({ exit, timedOut: job.state === "timed-out", endedBy: null });
}
