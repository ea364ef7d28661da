import { Failure } from "../errors.ts";
import type { Environment } from "../io.ts";
import { readClock } from "./clock.ts";
import { managedDirectory } from "./directory.ts";
import { findLeftovers, removeLeftovers } from "./leftovers.ts";
import { removeFiles } from "./removal.ts";
import { noteRemoved } from "./removed.ts";
import { surveyOutputs } from "./survey.ts";
import { planSweep, type Removal, type SweepPlan } from "./sweep-plan.ts";

export interface SweepOrder {
  readonly retentionMs: number;
  readonly quotaBytes: number;
  /** Only says what it would remove. */
  readonly isDryRun: boolean;
  /** Where `run` makes FIFOs. */
  readonly env: Environment;
}

export interface SweepOutcome {
  /** Oldest first; under `isDryRun` what would be removed. */
  readonly removed: readonly Removal[];
  readonly kept: { readonly count: number; readonly bytes: number };
  /** Files that belong to no output: what kills left. */
  readonly leftovers: number;
  /** Removals that were due and could not be done. */
  readonly failures: readonly Failure[];
  /** By the store's clock. */
  readonly nowMs: number;
  /** The store's clock has jumped since the last sweep: this one removes nothing, the next one believes it. */
  readonly hasClockJumped: boolean;
}

/**
 * Removes what is due, see sweep-plan.ts, beside writers, readers and other sweeps at work. A store that is missing is
 * an empty one.
 * @param processMs The process's clock, asked where the file system's cannot be: nothing can be removed there either.
 * @throws Failure "io" when the store cannot be read
 */
export function sweep(dataDirectory: string, order: SweepOrder, processMs: number): SweepOutcome {
  const clock = readClock(dataDirectory, !order.isDryRun);
  const nowMs = clock?.nowMs ?? processMs;
  const plan = planSweep(surveyOutputs(dataDirectory, nowMs), { ...order, nowMs, lastMs: clock?.lastMs });
  const { hasClockJumped } = plan;
  const leftovers = hasClockJumped ? [] : findLeftovers(dataDirectory, order.env, nowMs);
  if (order.isDryRun) {
    return {
      removed: plan.removals,
      kept: plan.kept,
      failures: [],
      leftovers: leftovers.length,
      hasClockJumped,
      nowMs,
    };
  }
  return { ...applySweep(dataDirectory, plan, nowMs), leftovers: removeLeftovers(leftovers), hasClockJumped, nowMs };
}

/**
 * Does what was planned; what could not be removed counts as kept. It is noted before it is done: a kill in between
 * leaves a note too many, never an output that nobody knows to have expired.
 */
function applySweep(dataDirectory: string, plan: SweepPlan, nowMs: number) {
  const stored = plan.removals.filter(({ reason }) => reason !== "orphan");
  noteRemoved(
    dataDirectory,
    stored.map((one) => ({ ...one, removedMs: nowMs })),
  );
  const removed: Removal[] = [];
  const failures: Failure[] = [];
  const kept = { ...plan.kept };
  for (const removal of plan.removals) {
    try {
      if (removeFiles(managedDirectory(dataDirectory), removal.names)) removed.push(removal);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
      kept.count += Number(removal.reason !== "orphan");
      kept.bytes += removal.reason === "orphan" ? 0 : removal.bytes;
    }
  }
  return { removed, kept, failures };
}
