/** What is known of a background command, as `jobs/ID.json` in the data directory holds it. */
import { constants } from "node:os";
import type { ProcessIdentity } from "../process/tree.ts";
import { isID } from "../store/reference.ts";

/** `starting` and `running` go on; `lost` is a job whose supervisor was killed, so that nobody knows how it ended. */
export const jobStates = ["starting", "running", "exited", "signaled", "timed-out", "stopped", "lost"] as const;

export type JobState = (typeof jobStates)[number];

export interface JobRecord {
  readonly version: 1;
  readonly id: string;
  /** Stands for the session, see store/session.ts; null for none. */
  readonly sessionID: string | null;
  /** The name that was given, else that of the program, without its arguments: they may hold secrets. */
  readonly name: string;
  readonly state: JobState;
  /** The process namespace that the numbers are of (namespaces(7)); empty where it is not known. */
  readonly namespace: string;
  readonly supervisor: ProcessIdentity;
  /** Null until it has started. */
  readonly command: ProcessIdentity | null;
  readonly output: JobOutputFacts;
  /** Its stdin is kept open for `toolout write`. */
  readonly takesInput: boolean;
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  readonly endedMs: number | null;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Of the whole output, once it has ended; of a lost job, of what was kept. */
  readonly bytes: number | null;
  readonly lines: number | null;
  readonly complete: boolean | null;
  /** Secrets masked, where they were looked for. */
  readonly redacted: number | null;
  /** What went wrong with storing the output. */
  readonly trouble: string | null;
}

/** What the stored output will be called, known before it is there. */
export interface JobOutputFacts {
  readonly id: string;
  readonly sessionID: string | null;
  readonly toolCallID: string | null;
  readonly name: string;
}

export function hasEnded({ state }: Pick<JobRecord, "state">): boolean {
  return state !== "starting" && state !== "running";
}

/** The record of the job `id`; undefined when the text is none. */
export function parseJobRecord(text: string, id: string): JobRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const fields = value as Partial<JobRecord>;
    const isSound =
      fields.version === 1 &&
      fields.id === id &&
      jobStates.includes(fields.state as JobState) &&
      (fields.sessionID === null || typeof fields.sessionID === "string") &&
      typeof fields.name === "string" &&
      isIdentity(fields.supervisor) &&
      (fields.command === null || isIdentity(fields.command)) &&
      typeof fields.namespace === "string" &&
      isID(fields.output?.id ?? "") &&
      typeof fields.output?.name === "string" &&
      Number.isFinite(fields.startedMs) &&
      [fields.endedMs, fields.bytes, fields.lines, fields.redacted].every((one) => one === null || isCount(one)) &&
      (fields.complete === null || typeof fields.complete === "boolean") &&
      (fields.trouble === null || typeof fields.trouble === "string") &&
      hasKnownEnd(fields);
    return isSound ? (fields as JobRecord) : undefined;
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): boolean {
  return Number.isFinite(value) && (value as number) >= 0;
}

/** A status or a signal where the state says that there is one. */
function hasKnownEnd({ state, exitCode, signal }: Partial<JobRecord>): boolean {
  const isStatus = Number.isInteger(exitCode) && (exitCode as number) >= 0 && (exitCode as number) <= 255;
  const isSignal = typeof signal === "string" && Object.hasOwn(constants.signals, signal);
  if (state === "exited") return isStatus && signal === null;
  if (state === "signaled") return isSignal && exitCode === null;
  return (exitCode === null || isStatus) && (signal === null || isSignal);
}

/** Never 0, 1 or less: a signal to these would reach others. */
function isIdentity(value: unknown): value is ProcessIdentity {
  const { pid, startTime } = (typeof value === "object" ? (value ?? {}) : {}) as Partial<ProcessIdentity>;
  return Number.isSafeInteger(pid) && (pid as number) > 1 && typeof startTime === "string";
}
