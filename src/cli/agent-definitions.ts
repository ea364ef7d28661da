/** The commands that agents know of: what they ask before a command, and what they call in its place. */
import { exitStatus } from "../errors.ts";
import { isTerminal } from "../stream/terminal.ts";
import type { Definition } from "./definition.ts";
import { addJsonOption, addProfileOption } from "./options.ts";
import { limitsFor, storeRequest, text } from "./requests.ts";

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
  mcp: {
    description: "serve run, read, grep and list to an MCP client on stdin and stdout",
    example: "toolout mcp --session agent-1",
    define: (command) => {
      addProfileOption(command);
      command
        .option("--session <id>", "session that stored outputs belong to (TOOLOUT_SESSION)")
        .option("--session-file <file>", "read the session from a file, or from an inherited descriptor by its number");
    },
    run: async (_operands, options, io, showHelp) => {
      if (isTerminal(io.stdin)) {
        await showHelp();
        return exitStatus("usage", "mcp");
      }
      const { session } = await storeRequest(options, io);
      await limitsFor(null, options, io); // a profile that there is not is refused at once
      const { serveMcp } = await import("../mcp/serve.ts");
      return serveMcp({ io, session, profile: text(options, "profile") });
    },
  },
};
