/** `toolout run --background` and `--yield`: a command under a supervisor, which goes on without toolout. */
import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import { jobDocument } from "../jobs/describe.ts";
import { readJob } from "../jobs/directory.ts";
import { startJob } from "../jobs/starter.ts";
import type { Limits } from "../limits.ts";
import { dataDirectory } from "../paths.ts";
import { uriOf } from "../store/reference.ts";
import { formatDocument } from "../text/visible.ts";

export interface BackgroundRequest {
  readonly command: readonly string[];
  readonly directory: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly killAfterMs: number;
  readonly waitForEnd: boolean;
  /** Keep stdin open for `toolout write`. */
  readonly takesInput: boolean;
  readonly session: string | undefined;
  readonly call: string | undefined;
  readonly name: string | undefined;
  readonly recordCommand: boolean;
  readonly json: boolean;
}

/**
 * Starts the job and prints its ID and the URI of its output, a line each, or one document.
 * @returns The exit status, 0 once the command runs.
 * @throws Failure as `run` when the command could not be started, "io" when nothing can be stored
 */
export async function background(request: BackgroundRequest, limits: Limits, io: Io): Promise<number> {
  const directory = await dataDirectory(io.env);
  const job = await startJob(request.command, orderOf(request, limits, directory), io.env, null);
  job.release();
  tell(directory, job.id, request, io);
  return 0;
}

function tell(directory: string, id: string, { json }: BackgroundRequest, io: Io): void {
  const record = readJob(directory, id);
  if (record === undefined) throw new Failure("io", `the record of ${id} has been removed`);
  if (json) io.stdout.write(formatDocument({ version: 1, job: jobDocument(record) }));
  else io.stdout.write(`${id}\n${uriOf(record.output.id)}\n`);
}

function orderOf(request: BackgroundRequest, limits: Limits, directory: string) {
  const { session, name, recordCommand, takesInput, timeoutMs, killAfterMs, waitForEnd } = request;
  const { storeBytes, captureBytes, overflow, redact, retention: retentionMs, quotaBytes } = limits;
  return {
    ...{
      session,
      name,
      recordCommand,
      takesInput,
      timeoutMs,
      killAfterMs,
      waitForEnd,
      redact,
      retentionMs,
      quotaBytes,
    },
    toolCallID: request.call,
    dataDirectory: directory,
    directory: request.directory,
    keepBytes: overflow === "store" ? storeBytes : Math.min(captureBytes, storeBytes),
  };
}
