/**
 * Names, options and help of every command. Only the command that is asked for gets its options, and each command's own
 * code is loaded when it runs: toolout starts before every command of its users, and this is on the way.
 */
import { isatty } from "node:tty";
import { Command, CommanderError } from "commander";
import { version } from "../package.json";
import type { RunRequest } from "./commands/run.ts";
import { loadLimits } from "./config/load.ts";
import type { LimitFlags } from "./config/resolve.ts";
import { exitStatus, Failure } from "./errors.ts";
import type { Io } from "./io.ts";
import { describeRange, formatLimit, type LimitKey, limitKeys, limitTable } from "./limits.ts";
import { notice } from "./notice.ts";
import type { Invocation } from "./report.ts";
import { parseDuration } from "./text/quantity.ts";
import { quote } from "./text/quote.ts";
import { visible } from "./text/visible.ts";

type Options = Record<string, string | boolean | undefined>;
type Ending = number | NodeJS.Signals;

interface Context {
  readonly io: Io;
  readonly invocation: Invocation;
  ending: Ending;
}

/** What a command line needs to become a command. */
interface Definition {
  readonly description: string;
  readonly example: string;
  readonly define: (command: Command) => void;
  readonly run: (operands: string[], options: Options, context: Context) => Promise<Ending>;
}

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

/** The program with the options of one command, or of all when none is named. */
export function buildProgram(context: Context, only?: string): Command {
  const { io, invocation } = context;
  const program = new Command("toolout")
    .description("Bounds what a command prints, keeps both ends, and stores the rest to be read page by page.")
    .version(`toolout ${version}`, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: () => {} })
    .addHelpText(
      "after",
      "\nExamples:\n  toolout run -- npm test\n  make 2>&1 | toolout pipe\n  toolout read last --tail 20",
    );
  const add = (parent: Command, name: string, path: string, definition: Definition) => {
    const command = parent
      .command(name)
      .description(definition.description)
      .helpOption("-h, --help", "print this help");
    command.copyInheritedSettings(parent);
    if (only !== undefined && only !== "help" && path.split(" ")[0] !== only) return;
    definition.define(command);
    command.addHelpText("after", `\nExample:\n  ${definition.example}`);
    command.action(async () => {
      const options = command.opts<Options>();
      invocation.command = path;
      invocation.json = options["json"] === true;
      context.ending = await definition.run(command.args, options, context);
    });
  };
  for (const [name, definition] of Object.entries(definitions)) add(program, name, name, definition);
  const config = program
    .command("config")
    .description("show and set the limits")
    .helpOption("-h, --help", "print this help");
  config.copyInheritedSettings(program);
  config.addHelpText("after", "\nExample:\n  toolout config set maxLines 500");
  for (const [name, definition] of Object.entries(configDefinitions)) add(config, name, `config ${name}`, definition);
  return program;
}

/** Help and version end well; a command line that cannot be understood is a usage failure of the command it names. */
function endOfParsing(error: CommanderError, program: Command, { io, invocation }: Context): number {
  const named = program.commands.find((command) => command.name() === program.args[0]);
  const command = named?.commands.find((inner) => inner.name() === named.args[0]) ?? named;
  if (error.exitCode === 0) return 0;
  const [first, asked] = program.args;
  if (first === "help" && asked !== undefined)
    throw new Failure("usage", `unknown command ${quote(asked)}`, { hint: "toolout --help" });
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

const definitions: Record<string, Definition> = {
  run: {
    description: "run a command and bound what it prints",
    example: "toolout run --timeout 10m -- npm test",
    define: (command) => {
      command
        .argument("[command...]", "the command and its arguments")
        .passThroughOptions()
        .option("-c, --shell <string>", "run the string with sh -c")
        .option("-C, --directory <dir>", "change to the directory first")
        .option("--merge", "send stdout and stderr through one pipe, in the order they were written")
        .option("--timeout <duration>", "end the command and all it started after this time; status 124")
        .option("--kill-after <duration>", "time from SIGTERM to SIGKILL (default: 3s)")
        .option("--wait", "wait for background processes that keep the output open")
        .option("--json", "print one JSON document")
        .option("--text", "print one block of text for a model");
      addLimitOptions(command, "run");
      addStoreOptions(command);
      command.option("--record-command", "keep the command line with the stored output");
    },
    run: async (operands, options, context) => {
      const request = runRequest(operands, options, context.io);
      const limits = await limitsFor("run", options, context.io);
      const { run } = await import("./commands/run.ts");
      return run(request, limits, context.io);
    },
  },
  pipe: {
    description: "bound a stream on stdin",
    example: "make 2>&1 | toolout pipe",
    define: (command) => {
      command.option("--json", "print one JSON document");
      addLimitOptions(command, "pipe");
      addStoreOptions(command);
    },
    run: async (_operands, options, context) => {
      const { io } = context;
      if (isatty(io.stdin)) {
        printHelpOfPipe(context);
        return exitStatus("usage", "pipe");
      }
      const limits = await limitsFor("pipe", options, io);
      const { pipe } = await import("./commands/pipe.ts");
      return pipe({ json: options["json"] === true, ...storeRequest(options, io) }, limits, io);
    },
  },
  read: {
    description: "print a page of a stored output, a file or a directory",
    example: "toolout read last --tail 20",
    define: (command) => {
      command
        .argument("<target>", "URI, ID or unique prefix of a stored output, `last`, or a file")
        .option("--offset <bytes>", "byte to begin at, counted from 0")
        .option("--line <n>", "line to begin at, counted from 1")
        .option("--lines <n>", "lines to print")
        .option("--tail <n>", "print the last lines")
        .option("--json", "print one JSON document");
      addLimitOptions(command, "read");
      addSessionOptions(command);
    },
    run: async ([target = ""], options, { io }) => {
      const limits = await limitsFor("read", withoutLimit(options), io);
      const { read } = await import("./commands/read.ts");
      return read({ target, ...pageRequest(options), ...askRequest(options) }, limits, io);
    },
  },
  grep: {
    description: "print the lines of a stored output or a file that match",
    example: "toolout grep -i error last",
    define: (command) => {
      command
        .argument("<pattern>", "regular expression (RE2 syntax)")
        .argument("<target>", "URI, ID or unique prefix of a stored output, `last`, or a file")
        .option("-i, --ignore-case", "ignore the case of letters")
        .option("-F, --fixed-strings", "the pattern is plain text")
        .option("-C, --context <n>", "print so many lines around each match")
        .option("--max-count <n>", "stop after so many matches")
        .option("--json", "print one JSON document");
      addProfileOption(command);
      addSessionOptions(command);
    },
    run: async ([pattern = "", target = ""], options, { io }) => {
      const limits = await limitsFor("grep", options, io);
      const { grep } = await import("./commands/grep.ts");
      const request = {
        pattern,
        target,
        ignoreCase: options["ignoreCase"] === true,
        fixed: options["fixedStrings"] === true,
        context: text(options, "context"),
        maxCount: text(options, "maxCount"),
      };
      return grep({ ...request, ...askRequest(options) }, limits, io);
    },
  },
  list: {
    description: "list the stored outputs, newest first",
    example: "toolout list --json",
    define: (command) => {
      command.option("--json", "print one JSON document");
      addProfileOption(command);
      addSessionOptions(command);
    },
    run: async (_operands, options, { io }) => {
      const limits = await limitsFor("list", options, io);
      const { list } = await import("./commands/list.ts");
      return list(askRequest(options), limits, io);
    },
  },
  show: {
    description: "print what is known of a stored output",
    example: "toolout show last",
    define: (command) => {
      command.argument("<reference>", "URI, ID or unique prefix of a stored output, or `last`");
      command.option("--json", "print one JSON document");
      addProfileOption(command);
      addSessionOptions(command);
    },
    run: async ([reference = ""], options, { io }) => {
      const limits = await limitsFor("show", options, io);
      const { show } = await import("./commands/show.ts");
      return show({ reference, ...askRequest(options) }, limits, io);
    },
  },
  rm: {
    description: "remove stored outputs",
    example: "toolout rm last",
    define: (command) => {
      command.argument("<reference...>", "URIs, IDs or unique prefixes of stored outputs, or `last`");
      command.option("--json", "print one JSON document");
      addSessionOptions(command);
    },
    run: async (references, options, { io }) => {
      const limits = await limitsFor("rm", options, io);
      const { rm } = await import("./commands/rm.ts");
      return rm({ references, ...askRequest(options) }, limits, io);
    },
  },
  gc: {
    description: "remove stored outputs that are too old, broken, or over the quota",
    example: "toolout gc --dry-run",
    define: (command) => {
      command
        .option("--dry-run", "say what would be removed, and why")
        .option("--quiet", "print nothing but trouble")
        .option("--json", "print one JSON document");
    },
    run: async (_operands, options, { io }) => {
      const limits = await limitsFor("gc", options, io);
      const { gc } = await import("./commands/gc.ts");
      const request = { dryRun: options["dryRun"] === true, quiet: options["quiet"] === true };
      return gc({ ...request, json: options["json"] === true }, limits, io);
    },
  },
};

const configDefinitions: Record<string, Definition> = {
  list: {
    description: "show each limit, its value and where it came from",
    example: "toolout config list --profile deepchat",
    define: (command) => {
      command.option("--json", "print one JSON document");
      addProfileOption(command);
    },
    run: async (_operands, options, { io }) => {
      const { configList } = await import("./commands/config.ts");
      return configList({ json: options["json"] === true, profile: text(options, "profile") }, io);
    },
  },
  get: {
    description: "print the value of a limit",
    example: "toolout config get maxLines",
    define: (command) => {
      command.argument("<key>", "a limit, or profiles.NAME.KEY").option("--json", "print one JSON document");
      addProfileOption(command);
    },
    run: async ([key = ""], options, { io }) => {
      const { configGet } = await import("./commands/config.ts");
      return configGet({ key, json: options["json"] === true, profile: text(options, "profile") }, io);
    },
  },
  set: {
    description: "set a limit in the file; it holds from the next command on",
    example: "toolout config set profiles.reviewer.runChars 20000",
    define: (command) => {
      command.argument("<key>", "a limit, or profiles.NAME.KEY").argument("<value>", "such as 2000, 50KiB, 7d");
    },
    run: async ([key = "", value = ""], _options, { io }) => {
      const { configSet } = await import("./commands/config.ts");
      return configSet({ key, value }, io);
    },
  },
  unset: {
    description: "remove a limit from the file",
    example: "toolout config unset maxLines",
    define: (command) => {
      command.argument("<key>", "a limit, or profiles.NAME.KEY");
    },
    run: async ([key = ""], _options, { io }) => {
      const { configUnset } = await import("./commands/config.ts");
      return configUnset({ key }, io);
    },
  },
  path: {
    description: "print where the file is",
    example: "toolout config path",
    define: () => {},
    run: async (_operands, _options, { io }) => {
      const { configPath } = await import("./commands/config.ts");
      return configPath({}, io);
    },
  },
  edit: {
    description: "open the file in $VISUAL or $EDITOR, and check it afterwards",
    example: "toolout config edit",
    define: () => {},
    run: async (_operands, _options, { io }) => {
      const { configEdit } = await import("./commands/config.ts");
      return configEdit({}, io);
    },
  },
};

function printHelpOfPipe(context: Context): void {
  const program = buildProgram(context, "pipe");
  const command = program.commands.find((one) => one.name() === "pipe");
  command?.configureOutput({ writeOut: (help) => context.io.stderr.write(help) }).outputHelp();
}

function addLimitOptions(command: Command, name: string): void {
  for (const key of limitKeys) {
    const { flag, commands, meaning, default: preset } = limitTable[key];
    if (flag === null || !commands.includes(name)) continue;
    const placeholder = limitTable[key].unit === null ? "word" : limitTable[key].unit === "bytes" ? "size" : "n";
    const facts = `${describeRange(key)}${preset === undefined ? "" : `; default: ${formatLimit(key, preset)}`}`;
    command.option(`${flag} <${placeholder}>`, `${meaning} (${facts})`);
  }
  addProfileOption(command);
}

function addProfileOption(command: Command): void {
  command.option("--profile <name>", "use this set of limits from the file (TOOLOUT_PROFILE)");
}

function addStoreOptions(command: Command): void {
  command
    .option("--session <id>", "session that the stored output belongs to (TOOLOUT_SESSION)")
    .option("--call <id>", "tool call to keep with the stored output")
    .option("--name <name>", "name to keep with the stored output");
}

function addSessionOptions(command: Command): void {
  command
    .option("--session <id>", "session whose outputs are asked for (TOOLOUT_SESSION)")
    .option("--any-session", "outputs of all sessions, for their owner");
}

async function limitsFor(command: string, options: Options, io: Io) {
  const flags: { [key in LimitKey]?: string } = {};
  for (const key of limitKeys) {
    const { flag, commands } = limitTable[key];
    if (flag === null || !commands.includes(command)) continue;
    const said = text(options, camelCase(flag));
    if (said !== undefined) flags[key] = said;
  }
  const { limits, warnings } = await loadLimits(
    { flags: flags satisfies LimitFlags, profile: text(options, "profile") },
    io.env,
  );
  for (const warning of warnings) notice(io.stderr, warning);
  return limits;
}

function runRequest(operands: readonly string[], options: Options, io: Io): RunRequest {
  const shell = text(options, "shell");
  const command = shell === undefined ? operands : ["sh", "-c", shell, ...operands];
  if (command.length === 0)
    throw new Failure("usage", "no command to run", { hint: "toolout run -- COMMAND [ARG...]" });
  const [json, asText] = [options["json"] === true, options["text"] === true];
  if (json && asText) throw new Failure("usage", "--json and --text exclude each other");
  return {
    command,
    directory: text(options, "directory"),
    merge: options["merge"] === true,
    timeoutMs: duration(options, "timeout"),
    killAfterMs: duration(options, "killAfter") ?? 3_000,
    waitForEnd: options["wait"] === true,
    format: json ? "json" : asText ? "text" : "plain",
    ...storeRequest(options, io),
    recordCommand: options["recordCommand"] === true,
  };
}

function storeRequest(options: Options, io: Io) {
  const session = text(options, "session") ?? io.env["TOOLOUT_SESSION"];
  return { session, call: text(options, "call"), name: text(options, "name") };
}

function askRequest(options: Options) {
  return {
    json: options["json"] === true,
    session: text(options, "session"),
    anySession: options["anySession"] === true,
  };
}

function pageRequest(options: Options) {
  const [offset, limit, line] = [text(options, "offset"), text(options, "limit"), text(options, "line")];
  return { offset, limit, line, lines: text(options, "lines"), tail: text(options, "tail") };
}

/** `read` looks at --limit itself: given by hand it is more than another default. */
function withoutLimit(options: Options): Options {
  return { ...options, limit: undefined };
}

function duration(options: Options, name: string): number | undefined {
  const said = text(options, name);
  if (said === undefined) return undefined;
  const ms = parseDuration(said);
  if (ms !== undefined && ms > 0) return ms;
  const flag = `--${name.replace(/[A-Z]/g, "-$&").toLowerCase()}`;
  throw new Failure("usage", `${flag} must be a duration above 0, such as 90s or 1h30m, not ${quote(said)}`);
}

function text(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

function camelCase(flag: string): string {
  return flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
