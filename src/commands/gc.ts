import type { Io } from "../io.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import { dataDirectory } from "../paths.ts";
import { type SweepOutcome, sweep } from "../store/sweep.ts";
import { formatCount } from "../text/quantity.ts";
import { alignColumns, linesWithin } from "../text/table.ts";
import { formatDocument, visible } from "../text/visible.ts";

export interface GcRequest {
  /** Only say what would be removed. */
  readonly dryRun: boolean;
  /** Print nothing but trouble. */
  readonly quiet: boolean;
  readonly json: boolean;
}

/** Removals that failed and are told one by one; the others are counted. */
const mostFailureLines = 5;

/**
 * Removes what is too old, broken or over the quota, and says so.
 * @returns The exit status: 1 when a removal failed.
 * @throws Failure "io" when the store cannot be read
 */
export async function gc(request: GcRequest, limits: Limits, io: Io): Promise<number> {
  const rules = { retentionMs: limits.retention, quotaBytes: limits.quotaBytes };
  const order = { ...rules, isDryRun: request.dryRun, env: io.env };
  const outcome = sweep(await dataDirectory(io.env), order, io.now());
  if (request.json) printDocument(outcome, request.dryRun, io);
  else if (!request.quiet) printLines(outcome, request.dryRun, limits, io);
  if (outcome.hasClockJumped) {
    notice(io.stderr, "the store's clock has jumped since the last gc; nothing is removed this time");
  }
  reportFailures(outcome, io);
  return outcome.failures.length > 0 ? 1 : 0;
}

function printDocument({ removed, kept, leftovers }: SweepOutcome, dryRun: boolean, io: Io): void {
  const shown = removed.map(({ uri, reason, bytes }) => ({ uri, reason, bytes }));
  io.stdout.write(formatDocument({ version: 1, dryRun, removed: shown, kept, leftovers }));
}

/** A line each, and the sum of all as the last line, however many lines there is room for. */
function printLines({ removed, kept, leftovers }: SweepOutcome, dryRun: boolean, limits: Limits, io: Io): void {
  const bytes = removed.reduce((sum, removal) => sum + removal.bytes, 0);
  const left = leftovers === 0 ? "" : ` and ${formatCount(leftovers)} ${leftovers === 1 ? "leftover" : "leftovers"}`;
  const removal = `${outputs(removed.length, bytes)}${left} ${dryRun ? "would be removed" : "removed"}`;
  const summary = `${removal}, ${outputs(kept.count, kept.bytes)} kept`;
  const room = { maxLines: limits.maxLines - 1, maxBytes: limits.maxBytes - summary.length - 1 };
  const rows = removed.slice(0, limits.maxLines).map((one) => [one.reason, formatBytes(one.bytes), one.uri]);
  const lines = linesWithin(alignColumns(rows, [1]), room);
  io.stdout.write(`${[...lines, summary].join("\n")}\n`);
  if (lines.length < removed.length) {
    notice(io.stderr, `${formatCount(removed.length - lines.length)} more are not listed here; --json lists all`);
  }
}

function reportFailures({ failures }: SweepOutcome, io: Io): void {
  for (const { message } of failures.slice(0, mostFailureLines)) notice(io.stderr, visible(message));
  const more = failures.length - mostFailureLines;
  if (more > 0) notice(io.stderr, `${formatCount(more)} more removals failed`);
}

function outputs(count: number, bytes: number): string {
  return `${formatCount(count)} ${count === 1 ? "output" : "outputs"} (${formatBytes(bytes)})`;
}

function formatBytes(bytes: number): string {
  return `${formatCount(bytes)} ${bytes === 1 ? "byte" : "bytes"}`;
}
