/** `toolout run`: runs a command, bounds what it prints, and ends as it ended. */

import { Failure } from "../errors.ts";
import type { Io, Sink } from "../io.ts";
import type { Limits } from "../limits.ts";
import { BoundedOutput } from "../output/bounded.ts";
import { openStore } from "../output/open-store.ts";
import { loadRedaction, type Redaction, redactionNotices } from "../output/redaction.ts";
import {
  factsFor,
  printResults,
  type ResultRequest,
  type RunResults,
  type RunStream,
  type RunSummary,
  type StreamName,
} from "../output/run-results.ts";
import { sweepLater } from "../output/sweep-later.ts";
import { type Child, type Command, startChild } from "../process/child.ts";
import { endAs, Supervisor } from "../process/supervise.ts";
import { isSameFile } from "../stream/same-file.ts";
import { formatCount, formatDuration } from "../text/quantity.ts";

export interface RunRequest extends ResultRequest {
  readonly directory: string | undefined;
  readonly merge: boolean;
  /** Only with the format "plain". */
  readonly tee: boolean;
  readonly timeoutMs: number | undefined;
  readonly killAfterMs: number;
  readonly waitForEnd: boolean;
}

/** For who runs several commands in one process; nothing of it for the one that toolout was started for. */
export interface RunControl {
  /** Ends the command when it is aborted. Without it the command gets the signals that are sent to toolout. */
  readonly cancel?: AbortSignal;
  /** Only with the format "text". */
  readonly onSummary?: (summary: RunSummary) => void;
}

/** The exit status, or the signal that toolout should die of. Throws Failure when the command could not be started. */
export async function run(
  request: RunRequest,
  limits: Limits,
  io: Io,
  { cancel, onSummary }: RunControl = {},
): Promise<number | NodeJS.Signals> {
  const startedMs = performance.now();
  const notices = new Set<string>();
  const redaction = await loadRedaction(limits);
  const streams = openStreams(request, limits, io, notices, redaction);
  const supervisor = new Supervisor(request, cancel === undefined);
  const stop = () => supervisor.stop();
  try {
    await start(request, streams, supervisor, io);
    if (cancel?.aborted) stop();
    cancel?.addEventListener("abort", stop);
    const ending = await supervisor.ended();
    const told = redaction === null ? request : { ...request, command: request.command.map(redaction.maskText) };
    await finish({ request: told, io, streams, ending, notices, startedMs, onSummary }, request, limits);
    return endAs(ending);
  } finally {
    cancel?.removeEventListener("abort", stop);
    await supervisor.release();
  }
}

/** Stores, prints, and waits until all of it is taken. */
async function finish(results: RunResults, request: RunRequest, limits: Limits): Promise<void> {
  const { io, streams, ending, notices } = results;
  if (ending.timedOut) notices.add(`the command timed out after ${formatDuration(request.timeoutMs ?? 0)}`);
  for (const { output } of streams) output.seal();
  for (const text of redactionNotices(sum(streams.map(({ output }) => output.redacted ?? 0)))) notices.add(text);
  const rejected = streams.find(({ output }) => output.isRejected);
  if (rejected !== undefined) {
    await Promise.all(
      streams.map(({ output }) => output.end(factsFor(request, rejected.name, ending.exit), "discard")),
    );
    throw new Failure(
      "too-large",
      `${rejected.name} is more than ${formatCount(limits.captureBytes)} bytes (captureBytes)`,
    );
  }
  const isStored = await printResults(results);
  await Promise.all([io.stdout.drained(), io.stderr.drained()]);
  if (isStored) await sweepLater(io.env, io.now()).catch(() => {}); // trouble with the store has been told already
}

function openStreams(
  request: RunRequest,
  limits: Limits,
  io: Io,
  notices: Set<string>,
  redaction: Redaction | null,
): RunStream[] {
  const isPlain = request.format === "plain";
  const merge = request.merge || (isPlain && isSameFile(io.stdout.fd, io.stderr.fd));
  const isHeldBack = !isPlain || limits.overflow === "reject";
  const open = (name: StreamName, sink: Sink): RunStream => {
    const output = new BoundedOutput({
      limits,
      maxUnits: limits.runChars,
      sink: isHeldBack ? null : sink,
      isTee: request.tee,
      openStore: (limitBytes) => openStore(io.env, limitBytes, limits),
      onTrouble: (failure) => notices.add(failure.message),
      masker: redaction && new redaction.Masker(),
    });
    return { name, sink, output };
  };
  return merge ? [open("output", io.stdout)] : [open("stdout", io.stdout), open("stderr", io.stderr)];
}

async function start(
  request: RunRequest,
  streams: readonly RunStream[],
  supervisor: Supervisor,
  io: Io,
): Promise<void> {
  const [file = "", ...args] = request.command;
  const command: Command = {
    file,
    args,
    directory: request.directory,
    env: io.env,
    stdin: io.stdin,
    inherited: io.inherited(),
  };
  const receivers = streams.map(({ output }) => (bytes: Buffer) => {
    const busy = output.write(bytes);
    if (output.isRejected) supervisor.stop();
    return busy;
  });
  const child = await startChild(command, receivers);
  supervisor.watch(child);
  if (request.format === "plain") closeWithReader(streams, child);
}

/** When nobody reads a stream any more, the command gets SIGPIPE for it, as it would have without toolout. */
function closeWithReader(streams: readonly RunStream[], child: Child): void {
  for (const [i, { sink }] of streams.entries()) sink.onGone(() => child.sources[i]?.close());
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
