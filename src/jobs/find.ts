/** From an ID to the job, and to those jobs only that the asker may see; one that was lost is settled on the way. */
import { readlinkSync } from "node:fs";
import { Failure, hasCode } from "../errors.ts";
import { isAlive } from "../process/tree.ts";
import { adoptOutput } from "../store/adopt.ts";
import type { Asker } from "../store/asker.ts";
import { readRecord } from "../store/find.ts";
import type { OutputRecord } from "../store/metadata.ts";
import { isGivenTo } from "../store/session.ts";
import { jobIDs, readJob, removeSidecars, writeJob } from "./directory.ts";
import { parseJobID } from "./id.ts";
import { hasEnded, type JobRecord } from "./record.ts";

/**
 * The job of that ID as it is now.
 * @throws Failure "usage" (no ID of a job), "not-found", "access-denied", "io"
 */
export function findJob(dataDirectory: string, text: string, asker: Asker): JobRecord {
  const id = parseJobID(text);
  const record = readJob(dataDirectory, id);
  if (record === undefined) throw new Failure("not-found", `no job ${id}`, { hint: "toolout jobs lists them" });
  if (isGivenTo(record, asker)) return settled(dataDirectory, record);
  throw new Failure("access-denied", `${id} belongs to another session`, {
    hint: "name the session with --session, --session-file or TOOLOUT_SESSION; --any-session is for the owner",
  });
}

/** All that the asker may see, newest first. @throws Failure "io" */
export function jobsFor(dataDirectory: string, asker: Asker): JobRecord[] {
  return jobIDs(dataDirectory)
    .flatMap((id) => readJob(dataDirectory, id) ?? [])
    .filter((record) => isGivenTo(record, asker))
    .map((record) => settled(dataDirectory, record))
    .sort((one, other) => other.startedMs - one.startedMs);
}

/** Whether somebody stays with it. Numbers of another namespace say nothing here: such a job counts as looked after. */
export function isSupervised({ namespace, supervisor }: JobRecord): boolean {
  return namespace !== processNamespace() || isAlive(supervisor);
}

/** Empty where there is no /proc. */
export function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/**
 * A job that runs by its record and has no supervisor has ended since (then the record is read once more), or its supervisor
 * was killed: what is there of its output becomes a stored output that is not complete.
 */
export function settled(dataDirectory: string, record: JobRecord): JobRecord {
  if (hasEnded(record) || isSupervised(record)) return record;
  const latest = readJob(dataDirectory, record.id) ?? record;
  if (hasEnded(latest)) return latest;
  const settledRecord = endOf(dataDirectory, latest);
  try {
    writeJob(dataDirectory, settledRecord);
    removeSidecars(dataDirectory, record.id);
  } catch {
    // A full disk, or another user's store: whoever asks next finds the same again.
  }
  return settledRecord;
}

/** A supervisor that had stored the output before it was killed has told with it how the command ended. */
function endOf(dataDirectory: string, record: JobRecord): JobRecord {
  const output = committed(dataDirectory, record) ?? adopted(dataDirectory, record);
  const { exitCode = null, signal = null } = output ?? {};
  return {
    ...record,
    state: exitCode !== null ? "exited" : signal !== null ? "signaled" : "lost",
    exitCode,
    signal: signal as NodeJS.Signals | null,
    endedMs: output?.created ?? record.startedMs,
    bytes: output?.bytes ?? null,
    lines: output?.lines ?? null,
    complete: output?.complete ?? false,
  };
}

function committed(dataDirectory: string, { output }: JobRecord): OutputRecord | undefined {
  try {
    return readRecord(dataDirectory, output.id);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function adopted(dataDirectory: string, { output }: JobRecord): OutputRecord | undefined {
  try {
    return adoptOutput(dataDirectory, output.id, output);
  } catch {
    return undefined;
  }
}
