/**
 * Reads plain command lines without commander, which takes longer to load than all else before the command starts. The
 * options come from the same definitions; whatever is not plain (help, an unknown option, a missing value, `--max-lines` cut
 * short, `-cSTRING`) is left to commander, which says what is wrong. A property test holds the two to each other.
 */
import type { Definable, Definition } from "./definition.ts";
import type { Options } from "./requests.ts";

export interface PlainLine {
  readonly name: string;
  readonly operands: string[];
  readonly options: Options;
}

/** What a command line says, as commander would read it; null for one that commander has to read. */
export function readPlainly(
  argv: readonly string[],
  definitions: Readonly<Record<string, Definition>>,
): PlainLine | null {
  const [name = "", ...words] = argv;
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  if (definition === undefined) return null;
  const grammar = new Grammar();
  definition.define(grammar);
  const options: Options = {};
  const operands: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === "--") {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (word === "-" || !word.startsWith("-")) {
      const taken = grammar.endsAtOperand ? words.slice(at) : [word];
      operands.push(...taken);
      at += taken.length - 1;
      continue;
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const option = grammar.options.get(equals === -1 ? word : word.slice(0, equals));
    if (option === undefined || option.takesValue !== (equals !== -1 || option.takesValue)) return null;
    if (!option.takesValue) options[option.key] = option.value;
    else {
      if (equals === -1) at += 1;
      const value = equals === -1 ? words[at] : word.slice(equals + 1);
      if (value === undefined || value === "" || value.startsWith("-")) return null;
      options[option.key] = value;
    }
  }
  return grammar.takes(operands.length) ? { name, operands, options } : null;
}

interface PlainOption {
  /** As commander names it: `--max-lines` is `maxLines`, and `--no-redact` says that `redact` is false. */
  readonly key: string;
  readonly takesValue: boolean;
  readonly value: boolean;
}

/** What a definition allows, written down as it is told to commander. */
class Grammar implements Definable {
  readonly options = new Map<string, PlainOption>();
  /** Options after the first operand are operands too. */
  endsAtOperand = false;
  #fewest = 0;
  #most = 0;

  argument(name: string): this {
    if (name.startsWith("<")) this.#fewest += 1;
    this.#most += name.includes("...") ? Number.POSITIVE_INFINITY : 1;
    return this;
  }

  option(flags: string): this {
    const [names = "", operand] = flags.split(/ (?=[<[])/);
    const forms = names.split(", ");
    const long = forms.at(-1) as string;
    const isNegated = long.startsWith("--no-");
    const key = long.slice(isNegated ? 5 : 2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    for (const form of forms) this.options.set(form, { key, takesValue: operand !== undefined, value: !isNegated });
    return this;
  }

  passThroughOptions(): this {
    this.endsAtOperand = true;
    return this;
  }

  takes(operands: number): boolean {
    return operands >= this.#fewest && operands <= this.#most;
  }
}
