/** `toolout completion`: the script for a shell, and what the script asks for while a command line is typed. */
import { type Candidate, formatAnswer, type ShellsOwn } from "../completion/answer.ts";
import { type Ask, askOf, type CommandShape, type OptionShape, type Said } from "../completion/ask.ts";
import { isShell, scriptFor, shells } from "../completion/scripts.ts";
import { readConfig } from "../config/load.ts";
import { ownObject } from "../config/values.ts";
import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import { builtInProfiles, limitKeys, limitTable } from "../limits.ts";
import { dataDirectory } from "../paths.ts";
import { askerOf } from "../store/asker.ts";
import { recordsFor } from "../store/find.ts";
import { formatCount } from "../text/quantity.ts";
import { quote } from "../text/quote.ts";

export interface CompletionRequest {
  readonly shell: string;
  /** The words after `toolout` up to the cursor; none to print the script. */
  readonly words: readonly string[];
  readonly program: CommandShape;
  /** What `toolout help` explains besides the commands. */
  readonly topics: readonly Candidate[];
}

/** As many stored outputs as a person can choose from. */
const mostOutputs = 50;

/** @throws Failure "usage" for a shell that toolout has no script for */
export async function completion({ shell, words, program, topics }: CompletionRequest, io: Io): Promise<number> {
  if (!isShell(shell)) {
    throw new Failure("usage", `no completion for the shell ${quote(shell)}; there are ${shells.join(", ")}`);
  }
  if (words.length === 0) io.stdout.write(scriptFor(shell));
  else io.stdout.write(await answer(askOf(words, program), words.at(-1) ?? "", topics, program, io));
  return 0;
}

async function answer(
  ask: Ask,
  word: string,
  topics: readonly Candidate[],
  program: CommandShape,
  io: Io,
): Promise<string> {
  switch (ask.kind) {
    case "nothing":
      return formatAnswer("none", [], word);
    case "command line":
      return formatAnswer(`command ${ask.from}`, [], word);
    case "commands":
      return formatAnswer("none", ask.commands.map(commandCandidate), word);
    case "options":
      return formatAnswer("none", ask.options.map(optionCandidate), word);
    case "value": {
      const { own, candidates } = await valuesOf(ask.option, io);
      const whole = candidates.map((one) => ({ ...one, word: ask.prefix + one.word }));
      return formatAnswer(own, whole, word);
    }
    case "operand": {
      if (ask.command.name === "help") return formatAnswer("none", helpCandidates(ask.said, topics, program), word);
      const { own, candidates } = await operandsOf(ask.name, ask.said, word, io);
      return formatAnswer(own, candidates, word);
    }
  }
}

interface Values {
  readonly own: ShellsOwn;
  readonly candidates: readonly Candidate[];
}

async function valuesOf({ long, operand }: OptionShape, io: Io): Promise<Values> {
  if (operand === "file") return { own: "files", candidates: [] };
  if (operand === "dir") return { own: "directories", candidates: [] };
  if (long === "--profile") return { own: "none", candidates: await profiles(io) };
  const row = Object.values(limitTable).find(({ flag }) => flag === long);
  return { own: "none", candidates: (row?.words ?? []).map(plainCandidate) };
}

async function operandsOf(name: string, said: Said, word: string, io: Io): Promise<Values> {
  switch (name) {
    case "target":
      return { own: "files", candidates: await outputs(said, word, io) };
    case "reference":
      return { own: "none", candidates: await outputs(said, word, io) };
    case "job":
      return { own: "none", candidates: await jobs(said, io) };
    case "key":
      return { own: "none", candidates: limitKeys.map((key) => ({ word: key, meaning: limitTable[key].meaning })) };
    case "value":
      return { own: "none", candidates: limitWords(said.operands[0]) };
    case "agent":
      return { own: "none", candidates: (await import("../hooks/agents.ts")).agentNames.map(plainCandidate) };
    case "shell":
      return { own: "none", candidates: shells.map(plainCandidate) };
    case "command": // of run -c: the arguments of the string
      return { own: "files", candidates: [] };
    default:
      return { own: "none", candidates: [] };
  }
}

/** The stored outputs that are given to the session of the line, by their IDs, or as URIs where the word begins as one. */
async function outputs({ options }: Said, word: string, io: Io): Promise<Candidate[]> {
  const asker = askerOf({ session: options["--session"], anySession: "--any-session" in options }, io.env);
  const found: Candidate[] = [{ word: "last", meaning: "the newest stored output" }];
  const asURI = word.startsWith("tool-output:");
  try {
    for (const { id, uri, name, lines } of recordsFor(await dataDirectory(io.env), asker)) {
      const meaning = `${name}, ${formatCount(lines)} ${lines === 1 ? "line" : "lines"}`;
      if (found.push({ word: asURI ? uri : id, meaning }) > mostOutputs) break;
    }
  } catch {
    // A store that cannot be read has nothing to offer; the command itself will say why.
  }
  return found;
}

/** Loaded only here: most lines that are typed name no job. */
async function jobs({ options }: Said, io: Io): Promise<Candidate[]> {
  const asker = askerOf({ session: options["--session"], anySession: "--any-session" in options }, io.env);
  try {
    const [{ jobsFor }, { describeState }] = await Promise.all([
      import("../jobs/find.ts"),
      import("../jobs/describe.ts"),
    ]);
    const found = jobsFor(await dataDirectory(io.env), asker).slice(0, mostOutputs);
    return found.map((job) => ({ word: job.id, meaning: `${job.name}, ${describeState(job)}` }));
  } catch {
    return []; // as for outputs
  }
}

async function profiles({ env }: Io): Promise<Candidate[]> {
  const { values } = await readConfig(env);
  const own = Object.keys(ownObject(values, "profiles") ?? {});
  const builtIn = Object.keys(builtInProfiles).filter((name) => !own.includes(name));
  return [
    ...own.map((word) => ({ word, meaning: "profile of the file" })),
    ...builtIn.map((word) => ({ word, meaning: "built-in profile" })),
  ];
}

function limitWords(key: string | undefined): Candidate[] {
  const limit = limitKeys.find((one) => one === key?.split(".").at(-1));
  return limit === undefined ? [] : limitTable[limit].words.map(plainCandidate);
}

function helpCandidates({ operands }: Said, topics: readonly Candidate[], program: CommandShape): Candidate[] {
  if (operands.length === 0) return [...program.commands.map(commandCandidate), ...topics];
  const named = program.commands.find(({ name }) => name === operands[0]);
  return operands.length === 1 ? (named?.commands ?? []).map(commandCandidate) : [];
}

function commandCandidate({ name, description }: CommandShape): Candidate {
  return { word: name, meaning: description };
}

function optionCandidate({ long, description }: OptionShape): Candidate {
  return { word: long, meaning: description };
}

function plainCandidate(word: string | boolean): Candidate {
  return { word: String(word), meaning: "" };
}
