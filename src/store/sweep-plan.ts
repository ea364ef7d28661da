/**
 * Decides what gc removes, from what lies in the store: outputs older than the retention; pairs that do not match and
 * payloads without a record, once untouched for an hour and without a live writer; then the oldest over the quota.
 * An output's age is that of its youngest file, never what its id says. What is younger than the clock that is asked
 * stays: it came after the scan, or some clock is wrong.
 */
import { uriOf } from "./reference.ts";

export const graceMs = 3_600_000;

export type RemovalReason = "expired" | "mismatched" | "orphan" | "quota";

export interface SweepRules {
  /** What the file system's clock says, in milliseconds since the epoch. */
  readonly nowMs: number;
  readonly retentionMs: number;
  /** Bytes of payloads and records together. */
  readonly quotaBytes: number;
}

export interface FoundFile {
  readonly name: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** The files of one id. */
export interface FoundOutput {
  readonly id: string;
  /** In the order of removal: the record or else the writer's mark first. At least one. */
  readonly files: readonly FoundFile[];
  readonly hasRecord: boolean;
  /** The record can be read and the payload is as it says. */
  readonly isSound: boolean;
  readonly hasLiveWriter: boolean;
}

export interface Removal {
  readonly id: string;
  readonly uri: string;
  readonly reason: RemovalReason;
  readonly bytes: number;
  readonly names: readonly string[];
}

export interface SweepPlan {
  /** Oldest first. */
  readonly removals: readonly Removal[];
  /** Stored outputs that stay; payloads without a record are none (yet). */
  readonly kept: { readonly count: number; readonly bytes: number };
}

export function planSweep(found: readonly FoundOutput[], rules: SweepRules): SweepPlan {
  const newestFirst = found
    .map((output) => ({ ...output, ageMs: rules.nowMs - lastModifiedMs(output), bytes: totalBytes(output) }))
    .sort((one, other) => one.ageMs - other.ageMs || (one.id < other.id ? 1 : -1));
  const removals: Removal[] = [];
  const kept = { count: 0, bytes: 0 };
  let isOverQuota = false;
  for (const output of newestFirst) {
    let reason = badReason(output, output.ageMs, rules);
    if (reason === undefined && output.hasRecord && output.ageMs >= 0) {
      isOverQuota ||= kept.bytes + output.bytes > rules.quotaBytes;
      if (isOverQuota) reason = "quota";
    }
    if (reason !== undefined) removals.push(removalOf(output, output.bytes, reason));
    else if (output.hasRecord) {
      kept.count += 1;
      kept.bytes += output.bytes;
    }
  }
  return { removals: removals.reverse(), kept };
}

function badReason(output: FoundOutput, ageMs: number, { retentionMs }: SweepRules): RemovalReason | undefined {
  if (output.hasRecord) {
    if (ageMs > retentionMs) return "expired";
    return !output.isSound && ageMs > graceMs ? "mismatched" : undefined;
  }
  return !output.hasLiveWriter && ageMs > graceMs ? "orphan" : undefined;
}

function removalOf({ id, files }: FoundOutput, bytes: number, reason: RemovalReason): Removal {
  return { id, uri: uriOf(id), reason, bytes, names: files.map(({ name }) => name) };
}

function lastModifiedMs({ files }: FoundOutput): number {
  return Math.max(...files.map(({ modifiedMs }) => modifiedMs));
}

function totalBytes({ files }: FoundOutput): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
