import type { Command } from "commander";
import type { Io } from "../io.ts";
import type { Options } from "./requests.ts";

export type Ending = number | NodeJS.Signals;

/** What a command line needs to become a command: `define` gives it its options, `run` does it. */
export interface Definition {
  readonly description: string;
  readonly example: string;
  readonly define: (command: Command) => void;
  readonly run: (operands: string[], options: Options, io: Io, command: Command) => Promise<Ending>;
}
