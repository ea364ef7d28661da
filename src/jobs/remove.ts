/** Forgetting jobs: by hand, and when they are as old as outputs may be. */
import { lstatSync } from "node:fs";
import { Failure } from "../errors.ts";
import type { Asker } from "../store/asker.ts";
import { managedDirectory, payloadName, recordName } from "../store/directory.ts";
import { uriOf } from "../store/reference.ts";
import { removeFiles } from "../store/removal.ts";
import { graceMs } from "../store/sweep-plan.ts";
import { jobIDs, jobPath, readJob, removeJobRecord, removeStrays } from "./directory.ts";
import { findJob, settled } from "./find.ts";
import { hasEnded } from "./record.ts";

/**
 * Removes a job that has ended, and its output.
 * @returns Its ID, and the URI of the output where there still was one.
 * @throws Failure "usage" for one that goes on, and as `findJob`
 */
export function removeJob(dataDirectory: string, text: string, asker: Asker): string[] {
  const job = findJob(dataDirectory, text, asker);
  if (!hasEnded(job)) throw new Failure("usage", `${job.id} still goes on`, { hint: `toolout stop ${job.id}` });
  const { id } = job.output;
  const hadOutput = removeFiles(managedDirectory(dataDirectory), [recordName(id), payloadName(id)]);
  removeJobRecord(dataDirectory, job.id);
  return hadOutput ? [job.id, uriOf(id)] : [job.id];
}

/** Settles what was lost, so that its output is no orphan to the sweep that follows. Never throws. */
export function settleJobs(dataDirectory: string): void {
  for (const id of quietly(() => jobIDs(dataDirectory)) ?? []) {
    quietly(() => {
      const job = readJob(dataDirectory, id);
      if (job !== undefined) settled(dataDirectory, job);
    });
  }
}

/** Forgets the jobs whose record has not changed for as long as outputs are kept, unless they go on. Never throws. */
export function sweepJobs(dataDirectory: string, retentionMs: number, nowMs: number): void {
  for (const id of quietly(() => jobIDs(dataDirectory)) ?? []) {
    quietly(() => {
      const { mtimeMs } = lstatSync(jobPath(dataDirectory, id, "json"));
      const job = readJob(dataDirectory, id);
      if ((job === undefined || hasEnded(job)) && nowMs - mtimeMs > retentionMs) removeJobRecord(dataDirectory, id);
    });
  }
  quietly(() => removeStrays(dataDirectory, graceMs, nowMs));
}

function quietly<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined; // the next gc tries again
  }
}
