/** `toolout pipe`: bounds a stream on stdin. */

import { Failure, reason } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import { BoundedOutput } from "../output/bounded.ts";
import { outputDocument } from "../output/document.ts";
import { openStore } from "../output/open-store.ts";
import { loadRedaction, redactionNotices } from "../output/redaction.ts";
import { sweepLater } from "../output/sweep-later.ts";
import { catchSignals, dieOf } from "../process/signals.ts";
import { finishWhenSilent } from "../stream/drain.ts";
import type { Source } from "../stream/reading.ts";
import { readDescriptor } from "../stream/source.ts";
import { formatCount } from "../text/quantity.ts";
import { formatDocument } from "../text/visible.ts";

export interface PipeRequest {
  readonly json: boolean;
  /** Not together with `json`. */
  readonly tee: boolean;
  readonly session: string | undefined;
  readonly call: string | undefined;
  readonly name: string | undefined;
}

/** The exit status, 0 unless stdout or stdin fail, or the signal that toolout should die of. */
export async function pipe(request: PipeRequest, limits: Limits, io: Io): Promise<number | NodeJS.Signals> {
  const notices = new Set<string>();
  const redaction = await loadRedaction(limits);
  const output = new BoundedOutput({
    limits,
    maxUnits: limits.pipeChars,
    sink: request.json || limits.overflow === "reject" ? null : io.stdout,
    isTee: request.tee,
    openStore: (limitBytes) => openStore(io.env, limitBytes, limits),
    onTrouble: (failure) => notices.add(failure.message),
    masker: redaction && new redaction.Masker(),
  });
  const reader = new Reader(output, io);
  try {
    const fault = await reader.ended();
    await finish(request, limits, output, notices, io);
    if (fault !== null) throw new Failure("io", `cannot read stdin: ${reason(fault)}`, { cause: fault });
    return reader.signal ?? 0;
  } finally {
    reader.release();
  }
}

/** Stores, prints, and waits until all of it is taken. */
async function finish(request: PipeRequest, limits: Limits, output: BoundedOutput, notices: Set<string>, io: Io) {
  output.seal();
  const { session, call: toolCallID, name = "output" } = request;
  const ended = await output.end({ name, session, toolCallID }, output.isRejected ? "discard" : "bound");
  if (output.isRejected) {
    throw new Failure("too-large", `the input is more than ${formatCount(limits.captureBytes)} bytes (captureBytes)`);
  }
  if (request.json) io.stdout.write(formatDocument({ version: 1, ...outputDocument(output, ended) }));
  else output.print(ended, io.stdout);
  const place = output.placeOf(ended);
  if (place !== null) notices.add(place);
  for (const text of [...notices, ...redactionNotices(output.redacted ?? 0)]) notice(io.stderr, text);
  await Promise.all([io.stdout.drained(), io.stderr.drained()]);
  if (ended.stored !== null) await sweepLater(io.env, io.now()).catch(() => {}); // its trouble has been told already
}

/** Reads stdin to its end, or as long as anything is done with it; after a first signal only what still comes, after a second nothing more. */
class Reader {
  /** The first signal that came; toolout dies of it once everything is printed and stored. */
  signal: NodeJS.Signals | undefined;
  readonly #io: Io;
  readonly #source: Source;
  readonly release: () => void;

  constructor(output: BoundedOutput, io: Io) {
    this.#io = io;
    this.release = catchSignals(["SIGINT", "SIGTERM", "SIGHUP"], (signal) => this.#take(signal));
    this.#source = readDescriptor(io.stdin, (bytes) => {
      const busy = output.write(bytes);
      if (output.isRejected || output.isDone) this.#source.close();
      return busy;
    });
  }

  /** Resolves with the error of a failed read, null otherwise. */
  ended(): Promise<Error | null> {
    return this.#source.ended;
  }

  #take(signal: NodeJS.Signals): void {
    if (this.signal === undefined) finishWhenSilent(this.#source);
    else if (this.#io.stdout.pendingBytes > 0)
      dieOf(signal); // a reader that takes nothing is not waited for any longer
    else this.#source.close();
    this.signal ??= signal;
  }
}
