/** A job as programs and persons are told of it. */
import { uriOf } from "../store/reference.ts";
import { roundAge } from "../text/person.ts";
import { formatCount } from "../text/quantity.ts";
import { visible } from "../text/visible.ts";
import { hasEnded, type JobRecord, type JobState } from "./record.ts";

/** A job in a JSON document. */
export interface JobDocument {
  readonly id: string;
  readonly state: JobState;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly uri: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  readonly endedMs: number | null;
  /** Of the whole output, null until it has ended. */
  readonly bytes: number | null;
  readonly lines: number | null;
  readonly complete: boolean | null;
}

export function jobDocument(job: JobRecord): JobDocument {
  const { id, state, exitCode, signal, name, startedMs, endedMs, bytes, lines, complete } = job;
  return { id, state, exitCode, signal, uri: uriOf(job.output.id), name, startedMs, endedMs, bytes, lines, complete };
}

/** `running`, `exited with 3`, `ended by SIGTERM`, `timed out`, `stopped (SIGTERM)`. */
export function describeState({ state, exitCode, signal }: Pick<JobRecord, "state" | "exitCode" | "signal">): string {
  const how = signal ?? (exitCode === null ? null : `exit ${exitCode}`);
  const texts: Readonly<Record<JobState, string>> = {
    starting: "starting",
    running: "running",
    exited: `exited with ${exitCode}`,
    signaled: `ended by ${signal}`,
    "timed-out": "timed out",
    stopped: how === null ? "stopped" : `stopped (${how})`,
    lost: "lost",
  };
  return visible(texts[state]);
}

/** How long it has been running, or ran. */
export function describeAge(job: JobRecord, nowMs: number): string {
  return roundAge((job.endedMs ?? nowMs) - job.startedMs);
}

/** One line for a person: the state, how long, how much. `seenBytes` is what can be read of the output now. */
export function describeJob(job: JobRecord, seenBytes: number, nowMs: number): string {
  const span = `${hasEnded(job) ? "after" : "for"} ${describeAge(job, nowMs)}`;
  const bytes = job.bytes ?? seenBytes;
  const lines = job.lines === null ? "" : `, ${formatCount(job.lines)} ${job.lines === 1 ? "line" : "lines"}`;
  const amount = `${formatCount(bytes)} ${bytes === 1 ? "byte" : "bytes"}${lines}${hasEnded(job) ? "" : " so far"}`;
  return `${job.id} ${describeState(job)} ${span}, ${amount}`;
}
