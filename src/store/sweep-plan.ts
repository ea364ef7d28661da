/**
 * Decides what gc removes, from what lies in the store: outputs older than the retention; pairs that do not match and
 * payloads without a record, once untouched for an hour and without a live writer; then the oldest over the quota.
 * An output's age is that of its youngest file, never what its id says. What is younger than the clock that is asked
 * stays and takes no room: it came after the scan, or some clock is wrong. After a jump of the clock itself nothing goes.
 */
import { uriOf } from "./reference.ts";

export const graceMs = 3_600_000;

/** However large it is, the newest output stays: its URI may just have been printed. */
const fewestKept = 1;
/** A clock that goes back by more than clocks are corrected by, or on by more than most stores are left alone. */
const mostBackMs = 3_600_000;
const mostOnMs = 100 * 24 * 3_600_000;

export type RemovalReason = "expired" | "mismatched" | "orphan" | "quota";

export interface SweepRules {
  /** What the file system's clock says, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** What it said at the last gc; undefined when there was none. */
  readonly lastMs?: number | undefined;
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
  /** The clock cannot be believed, so nothing is removed. */
  readonly hasClockJumped: boolean;
}

export function planSweep(found: readonly FoundOutput[], rules: SweepRules): SweepPlan {
  if (!hasJumped(rules)) return { ...planByAge(found, rules), hasClockJumped: false };
  const kept = { count: 0, bytes: 0 };
  for (const output of found) if (output.hasRecord) add(kept, totalBytes(output));
  return { removals: [], kept, hasClockJumped: true };
}

function planByAge(found: readonly FoundOutput[], rules: SweepRules) {
  const newestFirst = found
    .map((output) => ({ ...output, ageMs: rules.nowMs - lastModifiedMs(output), bytes: totalBytes(output) }))
    .sort((one, other) => one.ageMs - other.ageMs || (one.id < other.id ? 1 : -1));
  const removals: Removal[] = [];
  const kept = { count: 0, bytes: 0 };
  const past = { count: 0, bytes: 0 };
  let isOverQuota = false;
  for (const output of newestFirst) {
    let reason = badReason(output, output.ageMs, rules);
    if (reason === undefined && output.hasRecord && output.ageMs >= 0) {
      isOverQuota ||= past.count >= fewestKept && past.bytes + output.bytes > rules.quotaBytes;
      if (isOverQuota) reason = "quota";
      else add(past, output.bytes);
    }
    if (reason !== undefined) removals.push(removalOf(output, output.bytes, reason));
    else if (output.hasRecord) add(kept, output.bytes);
  }
  return { removals: removals.reverse(), kept };
}

function hasJumped({ nowMs, lastMs = nowMs }: SweepRules): boolean {
  return nowMs < lastMs - mostBackMs || nowMs > lastMs + mostOnMs;
}

function add(sum: { count: number; bytes: number }, bytes: number): void {
  sum.count += 1;
  sum.bytes += bytes;
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
