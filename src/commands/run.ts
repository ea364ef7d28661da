/** `toolout run`: runs a command, bounds what it prints, and ends as it ended. */

import { Failure } from "../errors.ts";
import type { Io, Sink } from "../io.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import { BoundedOutput, type EndedOutput, previewBytes } from "../output/bounded.ts";
import { type OutputDocument, outputDocument } from "../output/document.ts";
import { openStore } from "../output/open-store.ts";
import { loadRedaction, type Redaction, redactionNotices } from "../output/redaction.ts";
import { sweepLater } from "../output/sweep-later.ts";
import { shareLimits, textBlock } from "../output/text-block.ts";
import { markerLine } from "../preview/marker.ts";
import { fits } from "../preview/plan.ts";
import { markerLines, type PreviewLimits } from "../preview/shares.ts";
import { type Child, type Command, type Exit, startChild } from "../process/child.ts";
import { statusOf } from "../process/signals.ts";
import { type Ending, Supervisor } from "../process/supervise.ts";
import { isSameFile } from "../stream/same-file.ts";
import { formatCount, formatDuration } from "../text/quantity.ts";
import { formatDocument } from "../text/visible.ts";

export interface RunRequest {
  readonly command: readonly string[];
  readonly directory: string | undefined;
  readonly merge: boolean;
  readonly timeoutMs: number | undefined;
  readonly killAfterMs: number;
  readonly waitForEnd: boolean;
  readonly format: "plain" | "json" | "text";
  readonly session: string | undefined;
  readonly call: string | undefined;
  readonly name: string | undefined;
  readonly recordCommand: boolean;
}

type StreamName = "stdout" | "stderr" | "output";

/** One stream of the command: where it is captured, and where it goes. */
interface Stream {
  readonly name: StreamName;
  readonly sink: Sink;
  readonly output: BoundedOutput;
}

/** The exit status, or the signal that toolout should die of. Throws Failure when the command could not be started. */
export async function run(request: RunRequest, limits: Limits, io: Io): Promise<number | NodeJS.Signals> {
  const startedMs = performance.now();
  const notices = new Set<string>();
  const redaction = await loadRedaction(limits);
  const streams = openStreams(request, limits, io, notices, redaction);
  const supervisor = new Supervisor(request);
  try {
    await start(request, streams, supervisor, io);
    const ending = await supervisor.ended();
    const told = redaction === null ? request : { ...request, command: request.command.map(redaction.maskText) };
    await finish({ request: told, limits, io, streams, ending, notices, startedMs });
    return statusFor(ending);
  } finally {
    await supervisor.release();
  }
}

/** Stores, prints, and waits until all of it is taken. */
async function finish(results: Results): Promise<void> {
  const { request, limits, io, streams, ending, notices } = results;
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
  const print = { plain: printPlain, json: printJson, text: printText }[request.format];
  const isStored = await print(results);
  await Promise.all([io.stdout.drained(), io.stderr.drained()]);
  if (isStored) await sweepLater(io.env, io.now()).catch(() => {}); // trouble with the store has been told already
}

function openStreams(
  request: RunRequest,
  limits: Limits,
  io: Io,
  notices: Set<string>,
  redaction: Redaction | null,
): Stream[] {
  const isPlain = request.format === "plain";
  const merge = request.merge || (isPlain && isSameFile(io.stdout.fd, io.stderr.fd));
  const isHeldBack = !isPlain || limits.overflow === "reject";
  const open = (name: StreamName, sink: Sink): Stream => {
    const output = new BoundedOutput({
      limits,
      maxUnits: limits.runChars,
      sink: isHeldBack ? null : sink,
      openStore: (limitBytes) => openStore(io.env, limitBytes),
      onTrouble: (failure) => notices.add(failure.message),
      masker: redaction && new redaction.Masker(),
    });
    return { name, sink, output };
  };
  return merge ? [open("output", io.stdout)] : [open("stdout", io.stdout), open("stderr", io.stderr)];
}

async function start(request: RunRequest, streams: readonly Stream[], supervisor: Supervisor, io: Io): Promise<void> {
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
function closeWithReader(streams: readonly Stream[], child: Child): void {
  for (const [i, { sink }] of streams.entries()) sink.onGone(() => child.sources[i]?.close());
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

interface Results {
  readonly request: RunRequest;
  readonly limits: Limits;
  readonly io: Io;
  readonly streams: readonly Stream[];
  readonly ending: Ending;
  readonly notices: Set<string>;
  readonly startedMs: number;
}

/** Prints the rest of each stream, then what toolout itself has to say; true when something was stored. */
async function printPlain({ request, io, streams, ending, notices }: Results): Promise<boolean> {
  let isStored = false;
  for (const { name, output, sink } of streams) {
    const ended = await output.end(factsFor(request, name, ending.exit));
    output.print(ended, sink);
    isStored ||= ended.stored !== null;
  }
  for (const text of notices) notice(io.stderr, text);
  return isStored;
}

async function printJson({ request, io, streams, ending, notices, startedMs }: Results): Promise<boolean> {
  const { command } = request;
  const { exit, timedOut } = ending;
  const outputs: Record<string, OutputDocument> = {};
  let isStored = false;
  for (const { name, output } of streams) {
    const ended = await output.end(factsFor(request, name, exit));
    outputs[name] = outputDocument(output, ended);
    isStored ||= ended.stored !== null;
  }
  const durationMs = Math.round(performance.now() - startedMs);
  const document = { version: 1, command, exitCode: exit.code, signal: exit.signal, timedOut, durationMs, ...outputs };
  io.stdout.write(formatDocument(document));
  for (const text of notices) notice(io.stderr, text);
  return isStored;
}

/** One block for a model, all of it inside the limits. */
async function printText({ request, io, streams, ending, notices }: Results): Promise<boolean> {
  const outputs = streams.map(({ output }) => output);
  const shares = shareLimits(outputs, (outputs[0] as BoundedOutput).preview, notices);
  const ended: EndedOutput[] = [];
  for (const [i, { name, output }] of streams.entries()) {
    const fate = fits(output.seal(), shares[i] as PreviewLimits) ? "bound" : "store";
    ended.push(await output.end(factsFor(request, name, ending.exit), fate));
  }
  const previews = ended.map((one, i) => textOf(one, shares[i] as PreviewLimits));
  io.stdout.write(textBlock(previews, notices, describeExit(ending.exit)));
  return ended.some(({ stored }) => stored !== null);
}

/** The preview of an output, or the marker's one line when a line of the output and the marker have no room. */
function textOf(ended: EndedOutput, share: PreviewLimits): Buffer {
  const hasRoom = share.maxLines > markerLines || fits(ended.captured, share);
  return hasRoom ? previewBytes(ended, share).bytes : Buffer.from(markerLine(ended.copy, ended.captured.bytes));
}

function factsFor(request: RunRequest, name: string, exit: Exit) {
  const { session, call: toolCallID, recordCommand, command } = request;
  const own = { name: request.name ?? name, session, toolCallID, exitCode: exit.code, signal: exit.signal };
  return recordCommand ? { ...own, command } : own;
}

function describeExit({ code, signal }: Exit): string {
  return signal === null ? `Command exited with code ${code}.` : `Command was ended by ${signal}.`;
}

/** timeout(1) uses 124 too. */
function statusFor({ exit, timedOut, endedBy }: Ending): number | NodeJS.Signals {
  if (endedBy !== null) return endedBy;
  if (timedOut) return 124;
  if (exit.signal === null) return exit.code ?? 1;
  return statusOf(exit.signal) ?? exit.signal;
}
