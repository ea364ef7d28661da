/** The commands but `config`: their options, and how each is loaded and run. */
import { exitStatus } from "../errors.ts";
import { isTerminal } from "../stream/terminal.ts";
import { agentDefinitions } from "./agent-definitions.ts";
import type { Definition } from "./definition.ts";
import { fitDefinition } from "./fit-definition.ts";
import { jobDefinitions } from "./job-definitions.ts";
import {
  addFilterOptions,
  addJsonOption,
  addLimitOptions,
  addProfileOption,
  addSessionOptions,
  addStoreOptions,
  addTeeOption,
} from "./options.ts";
import {
  askRequest,
  filterRequest,
  leavingOf,
  limitsFor,
  pageRequest,
  refuseHeldBackTee,
  runRequest,
  searchRequest,
  storeRequest,
  teeOf,
} from "./requests.ts";

export const definitions: Record<string, Definition> = {
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
        .option("--background", "come back once it runs, with the ID of a job and the URI of its output")
        .option("--yield <duration>", "if it has not ended by then, leave it as with --background")
        .option("--input", "with these: keep its stdin open for `toolout write`")
        .option("--json", "print one JSON document")
        .option("--text", "print one block of text for a model");
      addTeeOption(command);
      addLimitOptions(command, "run");
      addStoreOptions(command);
      command.option("--record-command", "keep the command line with the stored output");
    },
    run: async (operands, options, io) => {
      const request = await runRequest(operands, options, io);
      const limits = await limitsFor("run", options, io);
      refuseHeldBackTee(limits, options);
      const leaving = leavingOf(request, limits, options);
      if (leaving?.kind === "at once") {
        const { background } = await import("../commands/background.ts");
        return background(leaving.request, limits, io);
      }
      if (leaving?.kind === "in time") {
        const { runOrYield } = await import("../commands/yield.ts");
        return runOrYield(leaving.request, limits, io);
      }
      const { run } = await import("../commands/run.ts");
      return run(request, limits, io);
    },
  },
  pipe: {
    description: "bound a stream on stdin",
    example: "make 2>&1 | toolout pipe",
    define: (command) => {
      addJsonOption(command);
      addTeeOption(command);
      addLimitOptions(command, "pipe");
      addStoreOptions(command);
    },
    run: async (_operands, options, io, showHelp) => {
      if (isTerminal(io.stdin)) {
        await showHelp();
        return exitStatus("usage", "pipe");
      }
      const limits = await limitsFor("pipe", options, io);
      refuseHeldBackTee(limits, options);
      const { pipe } = await import("../commands/pipe.ts");
      return pipe(
        { json: options["json"] === true, tee: teeOf(options), ...(await storeRequest(options, io)) },
        limits,
        io,
      );
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
        .option("--lines <n>", "lines to print, or A:B for the lines from A to B")
        .option("--tail <n>", "print the last lines")
        .option("--omitted", "read only what the preview left out")
        .option("--json", "print one JSON document");
      addLimitOptions(command, "read");
      addSessionOptions(command);
    },
    run: async ([target = ""], options, io) => {
      const limits = await limitsFor(null, options, io); // a --limit given by hand is more than another default
      const { read } = await import("../commands/read.ts");
      return read({ target, ...pageRequest(options), ...(await askRequest(options)) }, limits, io);
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
        .option("-w, --word-regexp", "match only whole words")
        .option("-v, --invert-match", "print the lines that do not match")
        .option("-c, --count", "print only how many lines match")
        .option("-n, --line-number", "taken for those used to it: the number is always there")
        .option("-A, --after-context <n>", "print so many lines after each match")
        .option("-B, --before-context <n>", "print so many lines before each match")
        .option("-C, --context <n>", "print so many lines around each match")
        .option("-m, --max-count <n>", "stop after so many matches")
        .option("--offset <bytes>", "search from the first line on that begins at this byte or later")
        .option("--json", "print one JSON document");
      addProfileOption(command);
      addSessionOptions(command);
    },
    run: async ([pattern = "", target = ""], options, io) => {
      const limits = await limitsFor(null, options, io);
      const { grep } = await import("../commands/grep.ts");
      return grep({ pattern, target, ...searchRequest(options), ...(await askRequest(options)) }, limits, io);
    },
  },
  list: {
    description: "list the stored outputs, newest first",
    example: "toolout list --json",
    define: (command) => {
      addFilterOptions(command);
      addJsonOption(command);
      addProfileOption(command);
      addSessionOptions(command);
    },
    run: async (_operands, options, io) => {
      const limits = await limitsFor(null, options, io);
      const { list } = await import("../commands/list.ts");
      return list({ ...filterRequest(options), ...(await askRequest(options)) }, limits, io);
    },
  },
  show: {
    description: "print what is known of a stored output",
    example: "toolout show last",
    define: (command) => {
      command.argument("[reference]", "URI, ID or unique prefix of a stored output, or `last`, the newest (default)");
      addFilterOptions(command);
      addJsonOption(command);
      addProfileOption(command);
      addSessionOptions(command);
    },
    run: async ([reference], options, io) => {
      const limits = await limitsFor(null, options, io);
      const { show } = await import("../commands/show.ts");
      return show({ reference, ...filterRequest(options), ...(await askRequest(options)) }, limits, io);
    },
  },
  rm: {
    description: "remove stored outputs, and background commands that have ended",
    example: "toolout rm last",
    define: (command) => {
      command.argument("[reference...]", "URIs, IDs or unique prefixes of stored outputs, `last`, or IDs of jobs");
      addFilterOptions(command);
      addJsonOption(command);
      addSessionOptions(command);
    },
    run: async (references, options, io) => {
      const limits = await limitsFor(null, options, io);
      const { rm } = await import("../commands/rm.ts");
      return rm({ references, ...filterRequest(options), ...(await askRequest(options)) }, limits, io);
    },
  },
  open: {
    description: "open a copy of a stored output in $VISUAL or $EDITOR",
    example: "toolout open last",
    define: (command) => {
      command.argument("<reference>", "URI, ID or unique prefix of a stored output, or `last`");
      addSessionOptions(command);
    },
    run: async ([reference = ""], options, io) => {
      const { open } = await import("../commands/open.ts");
      return open({ reference, ...(await askRequest(options)) }, io);
    },
  },
  stats: {
    description: "sum up what was stored, shown and hidden",
    example: "toolout stats --since 7d",
    define: (command) => {
      addFilterOptions(command);
      addJsonOption(command);
      addSessionOptions(command);
    },
    run: async (_operands, options, io) => {
      const { stats } = await import("../commands/stats.ts");
      return stats({ ...filterRequest(options), ...(await askRequest(options)) }, io);
    },
  },
  fit: fitDefinition,
  ...agentDefinitions,
  gc: {
    description: "remove stored outputs that are too old, broken, or over the quota",
    example: "toolout gc --dry-run",
    define: (command) => {
      command
        .option("--dry-run", "say what would be removed, and why")
        .option("--verify", "read all that stays and compare it with its checksum")
        .option("--quiet", "print nothing but trouble")
        .option("--json", "print one JSON document");
    },
    run: async (_operands, options, io) => {
      const limits = await limitsFor(null, options, io);
      const { gc } = await import("../commands/gc.ts");
      const [dryRun, quiet] = [options["dryRun"] === true, options["quiet"] === true];
      return gc({ dryRun, quiet, verify: options["verify"] === true, json: options["json"] === true }, limits, io);
    },
  },
  ...jobDefinitions,
};
