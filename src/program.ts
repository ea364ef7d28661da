/**
 * Names, options and help of every command, as commander has them: loaded for the command lines that cli/plain.ts leaves
 * to it. Only the command that is asked for is built, and each command's own code is loaded when it runs.
 */
import { Command, CommanderError } from "commander";
import { version } from "../package.json";
import { aboutDefinitions } from "./cli/about.ts";
import { configDefinitions } from "./cli/config-definitions.ts";
import type { Definition, Ending } from "./cli/definition.ts";
import { definitions } from "./cli/definitions.ts";
import type { Options } from "./cli/requests.ts";
import { exitStatus, Failure } from "./errors.ts";
import type { Io } from "./io.ts";
import type { Invocation } from "./report.ts";
import { visible } from "./text/visible.ts";

interface Context {
  readonly io: Io;
  readonly invocation: Invocation;
  ending: Ending;
}

const helpFlags = "-h, --help";
const helpMeaning = "print this help";

/** @throws Failure */
export async function parseAndRun(argv: readonly string[], io: Io, invocation: Invocation): Promise<Ending> {
  const context: Context = { io, invocation, ending: 0 };
  const program = buildProgram(context, argv[0]);
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return endOfParsing(error, program, context);
    throw error;
  }
  return context.ending;
}

/** The program with one command, or with all of them when none that there is is named. */
export function buildProgram(context: Context, only?: string): Command {
  const { io } = context;
  const program = new Command("toolout")
    .description("Bounds what a command prints, keeps both ends, and stores the rest to be read page by page.")
    .version(`toolout ${version}`, "-V, --version", "print the version")
    .helpOption(helpFlags, helpMeaning)
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: () => {} })
    .addHelpText(
      "after",
      "\nExamples:\n  toolout run -- npm test\n  make 2>&1 | toolout pipe\n  toolout read last --tail 20",
    );
  const isKnown = only === "config" || (only !== undefined && Object.hasOwn(definitions, only));
  const isWanted = (name: string) => !isKnown || name === only;
  for (const [name, definition] of Object.entries(definitions)) {
    if (isWanted(name)) addCommand(program, name, name, definition, context);
  }
  if (isWanted("config")) addConfig(program, context);
  if (isKnown) return program;
  for (const [name, about] of Object.entries(aboutDefinitions)) {
    addCommand(program, name, name, { ...about, run: (words) => about.run(words, program, io) }, context);
  }
  return program;
}

function addConfig(program: Command, context: Context): void {
  const config = program.command("config").description("show and set the limits").helpOption(helpFlags, helpMeaning);
  config.copyInheritedSettings(program);
  config.addHelpText("after", "\nExample:\n  toolout config set maxLines 500");
  for (const [name, definition] of Object.entries(configDefinitions)) {
    addCommand(config, name, `config ${name}`, definition, context);
  }
}

function addCommand(parent: Command, name: string, path: string, definition: Definition, context: Context): void {
  const { io, invocation } = context;
  const command = parent.command(name).description(definition.description).helpOption(helpFlags, helpMeaning);
  command.copyInheritedSettings(parent);
  definition.define(command);
  command.addHelpText("after", `\nExample:\n  ${definition.example}`);
  command.action(async () => {
    const options = command.opts<Options>();
    invocation.command = path;
    invocation.json = options["json"] === true;
    context.ending = await definition.run(command.args, options, io, () => io.stderr.write(helpOf(path, io)));
  });
}

/** The help of one command. */
export function helpOf(name: string, io: Io): string {
  const parts: string[] = [];
  const program = buildProgram({ io, invocation: { command: "", json: false }, ending: 0 }, name);
  const command = program.commands.find((one) => one.name() === name);
  command?.configureOutput({ writeOut: (text) => parts.push(text) }).outputHelp();
  return parts.join("");
}

/** Help and version end well; a command line that cannot be understood is a usage failure of the command it names. */
function endOfParsing(error: CommanderError, program: Command, { io, invocation }: Context): number {
  const named = program.commands.find((command) => command.name() === program.args[0]);
  const command = named?.commands.find((inner) => inner.name() === named.args[0]) ?? named;
  if (error.exitCode === 0) return 0;
  if (error.code === "commander.help") {
    io.stderr.write((command ?? program).helpInformation());
    return exitStatus("usage", "");
  }
  invocation.command = named?.name() ?? "";
  invocation.json = command?.opts<Options>()["json"] === true;
  const [message = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const help = ["toolout", named?.name(), command === named ? undefined : command?.name(), "--help"];
  const hint = suggestion?.replace(/^\(|\)$/g, "") ?? help.filter((word) => word !== undefined).join(" ");
  throw new Failure("usage", visible(message), { hint });
}
