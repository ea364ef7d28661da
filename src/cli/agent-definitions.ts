/** The commands that put toolout in front of what an agent runs. */
import type { Definition } from "./definition.ts";
import { addJsonOption, addProfileOption } from "./options.ts";
import { text } from "./requests.ts";

const agentArgument = ["<agent>", "claude-code, codex, copilot, cursor, gemini or opencode"] as const;

export const agentDefinitions: Readonly<Record<string, Definition>> = {
  hook: {
    description: "answer an agent that asks before it runs a command",
    example: "toolout hook claude-code < event.json",
    define: (command) => {
      command.argument(...agentArgument).option("--allow", "let the command run without the agent's asking its user");
      addProfileOption(command);
    },
    run: async ([agent = ""], options, io) => {
      const { hook } = await import("../commands/hook.ts");
      return hook({ agent, profile: text(options, "profile"), allow: options["allow"] === true }, io);
    },
  },
  init: {
    description: "print the settings that put toolout in front of an agent's commands",
    example: "toolout init claude-code --write",
    define: (command) => {
      command
        .argument(...agentArgument)
        .option("--project", "settings of the project in this directory, not of the user")
        .option("--write", "put them into the file, and keep what is there");
      addJsonOption(command);
    },
    run: async ([agent = ""], options, io) => {
      const { init } = await import("../commands/init.ts");
      const [project, write, json] = ["project", "write", "json"].map((name) => options[name] === true);
      return init({ agent, project: project === true, write: write === true, json: json === true }, io);
    },
  },
};
