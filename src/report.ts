/** What toolout says of a failure: one line on stderr and perhaps a hint, or a document on stdout for programs. */
import { exitStatus, Failure } from "./errors.ts";
import type { Environment, Io } from "./io.ts";
import { formatDocument, visible } from "./text/visible.ts";

export interface Invocation {
  /** The subcommand, for its exit statuses; empty before it is known. */
  command: string;
  json: boolean;
}

/** Reports what a command threw and gives the exit status. Anything but a Failure is a bug, and shows its stack. */
export async function reportFailure(error: unknown, { command, json }: Invocation, io: Io): Promise<number> {
  if (!(error instanceof Failure)) {
    io.stderr.write(`toolout: this is a bug in toolout: ${error instanceof Error ? error.stack : String(error)}\n`);
    return exitStatus("io", command);
  }
  const { kind, message, hint } = error;
  if (json) io.stdout.write(formatDocument({ version: 1, error: { kind, message } }));
  else {
    const title = await highlighted("toolout:", io);
    // A person gets the hint on a line of its own; for a program, one failure is one line.
    const separator = io.stderr.isTerminal ? "\n  hint: " : "; hint: ";
    io.stderr.write(`${title} ${visible(message)}${hint === undefined ? "" : separator + visible(hint)}\n`);
  }
  return exitStatus(kind, command);
}

/** The door to chalk, which is loaded only where colour will be seen. */
async function highlighted(text: string, { env, stderr }: Io): Promise<string> {
  if (!wantsColour(env, stderr.isTerminal)) return text;
  try {
    const { Chalk } = await import("chalk");
    return new Chalk({ level: 1 }).red.bold(text);
  } catch {
    return text; // a message without colour is still one
  }
}

/** FORCE_COLOR decides when it is set; then NO_COLOR (no-color.org), a dumb terminal, and whether it is a terminal. */
function wantsColour(env: Environment, isTerminal: boolean): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = env;
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && !NO_COLOR && TERM !== "dumb";
}
