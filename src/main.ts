/** The summary of the program: parse the arguments, run the command, report what went wrong, give the exit status. */
import type { Io } from "./io.ts";
import { parseAndRun } from "./program.ts";
import { type Invocation, reportFailure } from "./report.ts";

/** Runs toolout with the arguments after its name; the exit status, or the signal that the process should die of. */
export async function main(argv: readonly string[], io: Io): Promise<number | NodeJS.Signals> {
  const invocation: Invocation = { command: "", json: false };
  let ending: number | NodeJS.Signals;
  try {
    ending = await parseAndRun(argv, io, invocation);
  } catch (error) {
    ending = await reportFailure(error, invocation, io);
  }
  await Promise.all([io.stdout.drained(), io.stderr.drained()]);
  return ending;
}
