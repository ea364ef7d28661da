/** From the command line to the command: a plain one at once, any other through commander. */
import type { Io } from "../io.ts";
import { superviseWord } from "../jobs/supervise-word.ts";
import type { Invocation } from "../report.ts";
import type { Ending } from "./definition.ts";
import { definitions } from "./definitions.ts";
import { type PlainLine, readPlainly } from "./plain.ts";

/** Runs the command that the words name. @throws Failure */
export async function dispatch(argv: readonly string[], io: Io, invocation: Invocation): Promise<Ending> {
  if (argv[0] === superviseWord) {
    const { supervise } = await import("../commands/supervise-job.ts");
    return supervise(argv.slice(1), io);
  }
  const line = readPlainly(argv, definitions);
  if (line !== null) return runPlainly(line, io, invocation);
  const { parseAndRun } = await import("../program.ts");
  return parseAndRun(argv, io, invocation);
}

async function runPlainly({ name, operands, options }: PlainLine, io: Io, invocation: Invocation): Promise<Ending> {
  invocation.command = name;
  invocation.json = options["json"] === true;
  const showHelp = async () => {
    const { helpOf } = await import("../program.ts");
    io.stderr.write(helpOf(name, io));
  };
  return (definitions[name] as (typeof definitions)[string]).run(operands, options, io, showHelp);
}
