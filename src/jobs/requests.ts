/** What a running job is asked for: a file beside its record, and a signal to the supervisor to look. */
import { sleep } from "../process/sleep.ts";
import { stopTree } from "../process/stop-tree.ts";
import { findTree, signalAll } from "../process/tree.ts";
import { writeJobFile } from "./directory.ts";
import { processNamespace } from "./find.ts";
import { hasEnded, type JobRecord } from "./record.ts";

/** Asks the supervisor to look. */
export const lookSignal: NodeJS.Signals = "SIGUSR2";

/** Asks a running job to end; one that was lost is ended from here, as long as its command is still the same process. */
export async function requestStop(dataDirectory: string, job: JobRecord, killAfterMs: number): Promise<void> {
  if (!hasEnded(job)) ask(dataDirectory, job, "stop", `${killAfterMs}`);
  else if (job.state === "lost" && job.command !== null && job.namespace === processNamespace()) {
    const { command } = job;
    const killAtMs = performance.now() + killAfterMs;
    await stopTree(
      (known) => findTree([command, ...known], []),
      () => killAtMs,
    );
  }
}

/** Asks a running job to let its command see the end of its stdin. @throws Failure "io" */
export function requestEndOfInput(dataDirectory: string, job: JobRecord): void {
  ask(dataDirectory, job, "eof", "");
}

const firstPauseMs = 10;
const longestPauseMs = 250;

/**
 * Looks again and again, less and less often, until `look` gives something; undefined when `deadlineMs` (on the clock of
 * `performance.now`) comes first.
 */
export async function lookUntil<T>(look: () => T | undefined, deadlineMs: number): Promise<T | undefined> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
    const found = look();
    if (found !== undefined) return found;
    const leftMs = deadlineMs - performance.now();
    if (leftMs <= 0) return undefined;
    await sleep(Math.min(pauseMs, leftMs));
  }
}

/** A supervisor that has ended meanwhile needs nothing more; signalAll compares its start time first. */
function ask(dataDirectory: string, job: JobRecord, request: "stop" | "eof", text: string): void {
  writeJobFile(dataDirectory, job.id, request, text);
  if (job.namespace === processNamespace()) signalAll([job.supervisor], lookSignal);
}
