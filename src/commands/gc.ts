import { existsSync } from "node:fs";
import { exitStatus, type Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import { dataDirectory } from "../paths.ts";
import { jobsDirectory } from "../store/directory.ts";
import { type SweepOutcome, sweep } from "../store/sweep.ts";
import type { Verification } from "../store/verify.ts";
import { formatCount } from "../text/quantity.ts";
import { alignColumns, linesWithin } from "../text/table.ts";
import { formatDocument, visible } from "../text/visible.ts";

export interface GcRequest {
  /** Only say what would be removed. */
  readonly dryRun: boolean;
  /** Print nothing but trouble. */
  readonly quiet: boolean;
  /** Also read all that stays, and compare it with its record. */
  readonly verify: boolean;
  readonly json: boolean;
}

/** Failures that are told one by one; the others are counted. */
const mostFailureLines = 5;

/**
 * Removes what is too old, broken or over the quota, and says so; under `verify` says what of the rest is damaged.
 * @returns The exit status: 1 when a removal or a reading failed, else 5 when something is damaged.
 * @throws Failure "io" when the store cannot be read
 */
export async function gc(request: GcRequest, limits: Limits, io: Io): Promise<number> {
  const rules = { retentionMs: limits.retention, quotaBytes: limits.quotaBytes };
  const order = { ...rules, isDryRun: request.dryRun, env: io.env };
  const directory = await dataDirectory(io.env);
  const jobs = existsSync(jobsDirectory(directory)) ? await import("../jobs/remove.ts") : null;
  if (!request.dryRun) jobs?.settleJobs(directory);
  const outcome = sweep(directory, order, io.now());
  if (!request.dryRun && !outcome.hasClockJumped) jobs?.sweepJobs(directory, limits.retention, outcome.nowMs);
  const verified = request.verify ? (await import("../store/verify.ts")).verifyOutputs(directory) : null;
  if (request.json) printDocument(outcome, verified, request.dryRun, io);
  else if (!request.quiet) printLines(outcome, verified, request.dryRun, limits, io);
  if (outcome.hasClockJumped) {
    notice(io.stderr, "the store's clock has jumped since the last gc; nothing is removed this time");
  }
  const failures = [...outcome.failures, ...(verified?.failures ?? [])];
  reportFailures(failures, io);
  if (failures.length > 0) return exitStatus("io", "gc");
  return verified?.damaged.length ? exitStatus("damaged", "gc") : 0;
}

function printDocument(outcome: SweepOutcome, verified: Verification | null, dryRun: boolean, io: Io): void {
  const { kept, leftovers } = outcome;
  const removed = outcome.removed.map(({ uri, reason, bytes }) => ({ uri, reason, bytes }));
  const { sound, damaged } = verified ?? {};
  io.stdout.write(
    formatDocument({ version: 1, dryRun, removed, kept, leftovers, ...(verified && { verified: { sound, damaged } }) }),
  );
}

/** A line each, and the sum of all as the last line, however many lines there is room for. */
function printLines(
  outcome: SweepOutcome,
  verified: Verification | null,
  dryRun: boolean,
  limits: Limits,
  io: Io,
): void {
  const damaged = verified?.damaged ?? [];
  const summary = summarize(outcome, verified, dryRun);
  const room = { maxLines: limits.maxLines - 1, maxBytes: limits.maxBytes - summary.length - 1 };
  const rows = outcome.removed.slice(0, limits.maxLines).map((one) => [one.reason, formatBytes(one.bytes), one.uri]);
  const all = [...damaged.slice(0, limits.maxLines).map(({ message }) => visible(message)), ...alignColumns(rows, [1])];
  const lines = linesWithin(all, room);
  const hidden = damaged.length + outcome.removed.length - lines.length;
  io.stdout.write(`${[...lines, summary].join("\n")}\n`);
  if (hidden > 0) notice(io.stderr, `${formatCount(hidden)} more are not listed here; --json lists all`);
}

function summarize({ removed, kept, leftovers }: SweepOutcome, verified: Verification | null, dryRun: boolean): string {
  const bytes = removed.reduce((sum, removal) => sum + removal.bytes, 0);
  const left = leftovers === 0 ? "" : ` and ${formatCount(leftovers)} ${leftovers === 1 ? "leftover" : "leftovers"}`;
  const removal = `${outputs(removed.length, bytes)}${left} ${dryRun ? "would be removed" : "removed"}`;
  const found = verified && `, ${formatCount(verified.sound)} sound, ${formatCount(verified.damaged.length)} damaged`;
  return `${removal}, ${outputs(kept.count, kept.bytes)} kept${found ?? ""}`;
}

function reportFailures(failures: readonly Failure[], io: Io): void {
  for (const { message } of failures.slice(0, mostFailureLines)) notice(io.stderr, visible(message));
  const more = failures.length - mostFailureLines;
  if (more > 0) notice(io.stderr, `${formatCount(more)} more such failures`);
}

function outputs(count: number, bytes: number): string {
  return `${formatCount(count)} ${count === 1 ? "output" : "outputs"} (${formatBytes(bytes)})`;
}

function formatBytes(bytes: number): string {
  return `${formatCount(bytes)} ${bytes === 1 ? "byte" : "bytes"}`;
}
