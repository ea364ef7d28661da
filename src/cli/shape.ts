import type { Command } from "commander";
import type { CommandShape } from "../completion/ask.ts";

/** What completion has to know of a command and those within it. */
export function shapeOf(command: Command): CommandShape {
  const operands = command.registeredArguments;
  return {
    name: command.name(),
    description: command.description(),
    options: command
      .createHelp()
      .visibleOptions(command)
      .map((option) => ({
        long: option.long ?? "",
        short: option.short,
        description: option.description,
        operand: /<(.+)>/.exec(option.flags)?.[1],
      })),
    operands: operands.map((operand) => operand.name()),
    repeats: operands.at(-1)?.variadic ?? false,
    wraps: operands[0]?.name() === "command" && command.name() === "run",
    commands: command.commands.map(shapeOf),
  };
}
