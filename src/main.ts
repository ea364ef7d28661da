/** The summary of the program: parse the arguments, run the command, report what went wrong, give the exit status. */
import { dispatch } from "./cli/dispatch.ts";
import { exitStatus, Failure, reason } from "./errors.ts";
import type { Io } from "./io.ts";
import { type Invocation, reportFailure } from "./report.ts";

/** Runs toolout with the arguments after its name; the exit status, or the signal that the process should die of. */
export async function main(argv: readonly string[], io: Io): Promise<number | NodeJS.Signals> {
  const invocation: Invocation = { command: "", json: false };
  let ending: number | NodeJS.Signals;
  try {
    ending = await dispatch(argv, io, invocation);
  } catch (error) {
    ending = await reportFailure(error, invocation, io);
  }
  await io.stdout.drained();
  const { fault } = io.stdout;
  if (fault !== null) {
    const failure = new Failure("io", `cannot write to stdout: ${reason(fault)}`);
    await reportFailure(failure, { command: "", json: false }, io);
  }
  await io.stderr.drained();
  // A success whose output was lost is none; any other ending says more than this would.
  const isLost = fault !== null || io.stderr.fault !== null;
  return isLost && ending === 0 ? exitStatus("io", invocation.command === "grep" ? "grep" : "") : ending;
}
