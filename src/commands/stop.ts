/** `toolout stop`: ends a background command and all that it started. */
import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import { describeJob, jobDocument } from "../jobs/describe.ts";
import { findJob } from "../jobs/find.ts";
import { hasEnded } from "../jobs/record.ts";
import { lookUntil, requestStop } from "../jobs/requests.ts";
import { dataDirectory } from "../paths.ts";
import { askerOf } from "../store/asker.ts";
import { formatDocument } from "../text/visible.ts";

export interface StopRequest {
  readonly job: string;
  /** From SIGTERM to SIGKILL. */
  readonly killAfterMs: number;
  readonly json: boolean;
  readonly session?: string | undefined;
  readonly anySession?: boolean | undefined;
}

/** After SIGKILL the supervisor drains the output and stores it; a busy machine takes its time. */
const graceMs = 30_000;

/**
 * Comes back when the job has ended; at once for one that had.
 * @returns The exit status, 0.
 * @throws Failure "io" when it still goes on
 */
export async function stop(request: StopRequest, io: Io): Promise<number> {
  const [directory, asker] = [await dataDirectory(io.env), askerOf(request, io.env)];
  await requestStop(directory, findJob(directory, request.job, asker), request.killAfterMs);
  const job = await lookUntil(
    () => {
      const found = findJob(directory, request.job, asker);
      return hasEnded(found) ? found : undefined;
    },
    performance.now() + request.killAfterMs + graceMs,
  );
  if (job === undefined) throw new Failure("io", `${request.job} still goes on, though it was asked to stop`);
  if (request.json) io.stdout.write(formatDocument({ version: 1, job: jobDocument(job) }));
  else io.stdout.write(`${describeJob(job, 0, io.now())}\n`);
  return 0;
}
