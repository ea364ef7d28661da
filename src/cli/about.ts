/** The commands that speak of the others, which are all built for them. */
import type { Command } from "commander";
import type { Io } from "../io.ts";
import type { Definition, Ending } from "./definition.ts";

export interface AboutDefinition extends Omit<Definition, "run"> {
  readonly run: (operands: string[], program: Command, io: Io) => Promise<Ending>;
}

export const aboutDefinitions: Readonly<Record<string, AboutDefinition>> = {
  completion: {
    description: "print the completion script of a shell",
    example: 'eval "$(toolout completion bash)"',
    define: (command) => {
      command
        .argument("<shell>", "bash, zsh or fish")
        .argument("[word...]", "what the script asks for: the words after toolout, up to the cursor")
        .passThroughOptions();
    },
    run: async ([shell = "", ...rest], program, io) => {
      const words = rest[0] === "--" ? rest.slice(1) : rest; // commander leaves it behind an operand
      const { shapeOf } = await import("./shape.ts");
      const { topicMeaning, topicNames } = await import("./topics.ts");
      const { completion } = await import("../commands/completion.ts");
      const topics = topicNames.map((name) => ({ word: name, meaning: topicMeaning(name) }));
      return completion({ shell, words, program: shapeOf(program), topics }, io);
    },
  },
  help: {
    description: "print the help of a command, or a topic: limits, profiles, uris, sessions, exit-status",
    example: "toolout help config set",
    define: (command) => {
      command.argument("[word...]", "a command, or a topic");
    },
    run: async (words, program, io) => {
      const { help } = await import("./help.ts");
      return help(words, program, io);
    },
  },
};
