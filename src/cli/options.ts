/** Options that several commands share. */
import { describeRange, formatLimit, type LimitUnit, limitKeys, limitTable } from "../limits.ts";
import type { Definable } from "./definition.ts";

const sessionFileMeaning = "read the session from a file, or from an inherited descriptor by its number";

export function addLimitOptions(command: Definable, name: string): void {
  for (const key of limitKeys) {
    const { flag, commands, meaning, unit, default: preset } = limitTable[key];
    if (flag === null || !commands.includes(name)) continue;
    if (typeof preset === "boolean") {
      command
        .option(flag, `${meaning} (default: ${preset})`)
        .option(negated(flag), `not ${flag}, whatever else says so`);
      continue;
    }
    const facts = `${describeRange(key)}${preset === undefined ? "" : `; default: ${formatLimit(key, preset)}`}`;
    command.option(`${flag} <${operandOf(unit)}>`, `${meaning} (${facts})`);
  }
  addProfileOption(command);
}

export function addProfileOption(command: Definable): void {
  command.option("--profile <name>", "use this set of limits, built in or from the file (TOOLOUT_PROFILE)");
}

export function addTeeOption(command: Definable): void {
  command.option("--tee", "show all of the output, and store it however small it is");
}

export function addStoreOptions(command: Definable): void {
  command
    .option("--session <id>", "session that the stored output belongs to (TOOLOUT_SESSION)")
    .option("--session-file <file>", sessionFileMeaning)
    .option("--call <id>", "tool call to keep with the stored output")
    .option("--name <name>", "name to keep with the stored output");
}

export function addSharedSessionOptions(command: Definable): void {
  command
    .option("--session <id>", "session whose stored outputs are referred to and added to (TOOLOUT_SESSION)")
    .option("--session-file <file>", sessionFileMeaning);
}

export function addSessionOptions(command: Definable): void {
  command
    .option("--session <id>", "session whose outputs are asked for (TOOLOUT_SESSION)")
    .option("--session-file <file>", sessionFileMeaning)
    .option("--any-session", "outputs of all sessions, for their owner");
}

export function addFilterOptions(command: Definable): void {
  command
    .option("--since <time>", "outputs from then on: 2h, 7d, 2026-01-31 or 2026-01-31T08:30")
    .option("--name <name>", "outputs of this name; * stands for any characters");
}

export function addJsonOption(command: Definable): void {
  command.option("--json", "print one JSON document");
}

function negated(flag: string): string {
  return flag.replace("--", "--no-");
}

function operandOf(unit: LimitUnit): string {
  if (unit === null) return "word";
  return unit === "bytes" ? "size" : "n";
}
