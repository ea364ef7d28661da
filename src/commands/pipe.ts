/** `toolout pipe`: bounds a stream on stdin. */

import { Failure, reason } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import { BoundedOutput } from "../output/bounded.ts";
import { outputDocument } from "../output/document.ts";
import { openStore, sweepLater } from "../output/open-store.ts";
import { catchSignals } from "../process/signals.ts";
import { finishWhenSilent } from "../stream/drain.ts";
import { readDescriptor, type Source } from "../stream/source.ts";
import { formatCount } from "../text/quantity.ts";

export interface PipeRequest {
  readonly json: boolean;
  readonly session: string | undefined;
  readonly call: string | undefined;
  readonly name: string | undefined;
}

/** The exit status, 0 unless stdout or stdin fail, or the signal that toolout should die of. */
export async function pipe(request: PipeRequest, limits: Limits, io: Io): Promise<number | NodeJS.Signals> {
  const notices = new Set<string>();
  const output = new BoundedOutput({
    limits,
    maxUnits: limits.pipeChars,
    sink: request.json || limits.overflow === "reject" ? null : io.stdout,
    openStore: (limitBytes) => openStore(io.env, limitBytes),
    onTrouble: (failure) => notices.add(failure.message),
  });
  const signal = await readAll(output, io);
  const { session, call: toolCallID, name = "output" } = request;
  const ended = await output.end({ name, session, toolCallID }, output.isRejected ? "discard" : "bound");
  if (output.isRejected) {
    throw new Failure("too-large", `the input is more than ${formatCount(limits.captureBytes)} bytes (captureBytes)`);
  }
  if (request.json) io.stdout.write(`${JSON.stringify({ version: 1, ...outputDocument(output, ended) })}\n`);
  else output.print(ended, io.stdout);
  for (const text of notices) notice(io.stderr, text);
  await Promise.all([io.stdout.drained(), io.stderr.drained()]);
  if (ended.stored !== null) await sweepLater(io.env, io.now()).catch(() => {}); // its trouble has been told already
  if (io.stdout.fault !== null) throw new Failure("io", `cannot write to stdout: ${reason(io.stdout.fault)}`);
  return signal ?? 0;
}

/** Reads stdin to its end, or as long as anything is done with it; after INT or TERM only what still comes. */
async function readAll(output: BoundedOutput, io: Io): Promise<NodeJS.Signals | undefined> {
  let caught: NodeJS.Signals | undefined;
  const source: Source = readDescriptor(io.stdin, (bytes) => {
    const busy = output.write(bytes);
    if (output.isRejected || output.isDone) source.close();
    return busy;
  });
  const release = catchSignals(["SIGINT", "SIGTERM", "SIGHUP"], {
    onSignal: (signal) => {
      if (caught !== undefined) source.close();
      else finishWhenSilent(source);
      caught ??= signal;
    },
  });
  try {
    await source.ended;
  } catch (error) {
    throw new Failure("io", `cannot read stdin: ${reason(error)}`, { cause: error });
  } finally {
    release();
  }
  return caught;
}
