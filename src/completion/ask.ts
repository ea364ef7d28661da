/**
 * What a half-typed command line asks for, found by walking it along the shape of the commands. Pure: which values there
 * are (stored outputs, profiles) is looked up by who asked.
 */

export interface CommandShape {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionShape[];
  /** Names of the operands in their order: `target`, `key`, `reference`. */
  readonly operands: readonly string[];
  /** The last operand may be given again and again. */
  readonly repeats: boolean;
  /** The first operand begins a command line that is not toolout's. */
  readonly wraps: boolean;
  readonly commands: readonly CommandShape[];
}

export interface OptionShape {
  readonly long: string;
  readonly short: string | undefined;
  readonly description: string;
  /** What its value is called, undefined for an option without one. */
  readonly operand: string | undefined;
}

/** What stands on the line before the word that is completed. */
export interface Said {
  /** Options by their long names, with their values; an option without one has an empty value. */
  readonly options: Readonly<Record<string, string>>;
  readonly operands: readonly string[];
}

export type Ask =
  | { readonly kind: "nothing" }
  | { readonly kind: "commands"; readonly commands: readonly CommandShape[] }
  | { readonly kind: "options"; readonly options: readonly OptionShape[] }
  /** `prefix` is what the word already holds of its option: `--profile=`. */
  | { readonly kind: "value"; readonly option: OptionShape; readonly prefix: string; readonly said: Said }
  | { readonly kind: "operand"; readonly command: CommandShape; readonly name: string; readonly said: Said }
  /** The words from this one on, counted from 0, are a command line of their own. */
  | { readonly kind: "command line"; readonly from: number };

/** @param words The words after `toolout` up to the cursor; the last is the one to complete, and may be empty. */
export function askOf(words: readonly string[], program: CommandShape): Ask {
  const current = words.at(-1) ?? "";
  const options: Record<string, string> = {};
  const operands: string[] = [];
  let command = program;
  let isPastOptions = false;
  for (let i = 0; i < words.length - 1; i += 1) {
    const word = words[i] as string;
    if (isPastOptions || !isOption(word)) {
      const inner = command.commands.find(({ name }) => name === word);
      if (inner === undefined && command.commands.length > 0) return { kind: "nothing" };
      if (inner !== undefined) command = inner;
      else if (command.wraps && !("--shell" in options)) return { kind: "command line", from: i };
      else operands.push(word);
      continue;
    }
    isPastOptions = word === "--";
    const { option, value } = findOption(word, command);
    if (option === undefined) continue;
    if (option.operand === undefined || value !== undefined) options[option.long] = value ?? "";
    else if (i + 1 === words.length - 1) return { kind: "value", option, prefix: "", said: { options, operands } };
    else {
      i += 1;
      options[option.long] = words[i] as string;
    }
  }
  const said = { options, operands };
  if (!isPastOptions && isOption(current)) return askOfOption(current, command, said);
  if (command.commands.length > 0) return { kind: "commands", commands: command.commands };
  if (command.wraps && !("--shell" in options)) return { kind: "command line", from: words.length - 1 };
  const last = command.repeats ? command.operands.at(-1) : undefined;
  const name = command.operands[operands.length] ?? last;
  if (name !== undefined) return { kind: "operand", command, name, said };
  return isPastOptions ? { kind: "nothing" } : { kind: "options", options: command.options };
}

function askOfOption(word: string, command: CommandShape, said: Said): Ask {
  const { option, value } = findOption(word, command);
  if (option?.operand === undefined || value === undefined) return { kind: "options", options: command.options };
  return { kind: "value", option, prefix: word.slice(0, word.length - value.length), said };
}

function isOption(word: string): boolean {
  return word.startsWith("-");
}

/** `--name`, `--name=value`, `-x` or `-xvalue`. */
function findOption(word: string, { options }: CommandShape): { option?: OptionShape | undefined; value?: string } {
  if (!word.startsWith("--")) {
    const option = options.find(({ short }) => short === word.slice(0, 2));
    return word.length > 2 ? { option, value: word.slice(2) } : { option };
  }
  const at = word.indexOf("=");
  const option = options.find(({ long }) => long === (at === -1 ? word : word.slice(0, at)));
  return at === -1 ? { option } : { option, value: word.slice(at + 1) };
}
