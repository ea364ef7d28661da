/** From what `run` was asked for to what a supervisor is told. */
import type { Limits } from "../limits.ts";
import type { JobOrder } from "./channel.ts";

export interface JobRequest {
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
}

/** The job keeps these limits, whatever is in force later on. */
export function orderFor(request: JobRequest, limits: Limits, dataDirectory: string): JobOrder {
  const { directory, session, name, recordCommand, takesInput, timeoutMs, killAfterMs, waitForEnd } = request;
  const { storeBytes, captureBytes, overflow, redact, retention, quotaBytes } = limits;
  const stored = overflow === "store" ? storeBytes : Math.min(captureBytes, storeBytes);
  return {
    ...{ dataDirectory, directory, session, toolCallID: request.call, name, recordCommand, takesInput },
    ...{ timeoutMs, killAfterMs, waitForEnd, keepBytes: stored, redact, retentionMs: retention, quotaBytes },
  };
}
