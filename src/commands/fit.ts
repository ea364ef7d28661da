/** `toolout fit`: a batch of results on stdin, and on stdout the same inside a budget. */
import { Failure } from "../errors.ts";
import { parseBatch } from "../fitting/batch.ts";
import type { Budget } from "../fitting/budget.ts";
import type { Io } from "../io.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import { type Fitted, fitResults } from "../output/fit-results.ts";
import { MadeOutputs } from "../output/made-outputs.ts";
import { sweepLater } from "../output/sweep-later.ts";
import { catchSignals, dieOf } from "../process/signals.ts";
import { WholeInput } from "../stream/whole-input.ts";
import { formatDocument } from "../text/visible.ts";

export interface FitRequest {
  readonly budget: Budget;
  readonly json: boolean;
  readonly session: string | undefined;
}

/** V8 reads JSON of any depth, and writes it recursively. */
const unwritable = "the batch is nested too deeply, or too large to be written";

/** A batch is held whole, and V8's strings end at half a gigabyte. */
const mostInputBytes = 256 * 1024 * 1024;

/**
 * Prints the batch inside the budget. What was stored for it is removed when nobody got it: after a signal, and when
 * stdout fails or its reader has gone.
 * @returns The exit status, 0, or the signal that toolout should die of.
 * @throws Failure "usage", "too-large", "io"
 */
export async function fitBatch(request: FitRequest, limits: Limits, io: Io): Promise<number | NodeJS.Signals> {
  const made = new MadeOutputs();
  const input = new WholeInput(io.stdin, mostInputBytes);
  let release = () => {};
  const interrupted = new Promise<NodeJS.Signals>((resolve) => {
    release = catchSignals(["SIGINT", "SIGTERM", "SIGHUP"], (signal) => {
      made.removeAll();
      input.source.close();
      if (io.stdout.pendingBytes > 0) dieOf(signal); // a reader that takes nothing is not waited for
      resolve(signal);
    });
  });
  const given = fitInput(request, limits, input, made, io).then(
    () => 0,
    (error: unknown) => {
      made.removeAll();
      throw error instanceof RangeError ? new Failure("usage", unwritable, { cause: error }) : error;
    },
  );
  try {
    return await Promise.race([interrupted, given]);
  } finally {
    release();
  }
}

async function fitInput(
  request: FitRequest,
  limits: Limits,
  input: WholeInput,
  made: MadeOutputs,
  io: Io,
): Promise<void> {
  const batch = parseBatch(await input.bytes());
  const troubles = new Set<string>();
  const onTrouble = (text: string) => troubles.add(text);
  const { budget, session } = request;
  const fitted = await fitResults(batch.results, budget, { env: io.env, limits, session, onTrouble }, made);
  io.stdout.write(formatDocument(request.json ? documentOf(fitted, budget) : batch.shape(fitted.results)));
  for (const text of troubles) notice(io.stderr, text);
  await io.stdout.drained();
  if (io.stdout.isClosed || io.stdout.fault !== null) made.removeAll();
  if (made.count > 0) await sweepLater(io.env, io.now()).catch(() => {}); // its trouble has been told already
}

function documentOf({ results, outcomes, before, after }: Fitted, budget: Budget) {
  return { version: 1, budget, before, after, outcomes, results };
}
