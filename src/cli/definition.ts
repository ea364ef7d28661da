import type { Io } from "../io.ts";
import type { Options } from "./requests.ts";

export type Ending = number | NodeJS.Signals;

/** What takes the options of a command: commander's Command, or the reader of plain command lines. */
export interface Definable {
  /** `<name>` must be there, `[name]` may; `...` takes all that follow. */
  argument(name: string, meaning: string): Definable;
  /** `-x, --long-name <value>`, as commander writes it. */
  option(flags: string, meaning: string): Definable;
  /** What follows the first operand is no option. */
  passThroughOptions(): Definable;
}

/** What a command line needs to become a command: `define` gives it its options, `run` does it. */
export interface Definition {
  readonly description: string;
  readonly example: string;
  readonly define: (command: Definable) => void;
  /** `showHelp` prints the help of the command on stderr. */
  readonly run: (operands: string[], options: Options, io: Io, showHelp: () => Promise<void> | void) => Promise<Ending>;
}
