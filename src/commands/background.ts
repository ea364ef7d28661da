/** `toolout run --background`: a command under a supervisor, which goes on without toolout. */
import type { Io } from "../io.ts";
import { printHandOver } from "../jobs/hand-over.ts";
import { type JobRequest, orderFor } from "../jobs/order.ts";
import { startJob } from "../jobs/starter.ts";
import type { Limits } from "../limits.ts";
import { dataDirectory } from "../paths.ts";

export interface BackgroundRequest extends JobRequest {
  readonly format: "plain" | "json" | "text";
}

/**
 * Starts the job and prints its ID and the URI of its output, a line each, or one document.
 * @returns The exit status, 0 once the command runs.
 * @throws Failure as `run` when the command could not be started, "io" when nothing can be stored
 */
export async function background(request: BackgroundRequest, limits: Limits, io: Io): Promise<number> {
  const directory = await dataDirectory(io.env);
  const job = await startJob(request.command, orderFor(request, limits, directory), io.env, null);
  job.release();
  printHandOver(directory, job.id, request.format, io);
  return 0;
}
