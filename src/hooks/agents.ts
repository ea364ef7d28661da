/**
 * The agents that let a program change a shell command before it runs: how each asks, is answered, and is set up. Sources:
 * Claude Code "Hooks reference" (PreToolUse, updatedInput), Codex pull request 20527 (updatedInput only with "allow"), Gemini
 * CLI docs/hooks/reference.md (BeforeTool, tool_input), GitHub "Copilot CLI hooks reference" (preToolUse, modifiedArgs),
 * Cursor "Hooks" (preToolUse, updated_input), OpenCode "Plugins" (tool.execute.before).
 */
import { Failure } from "../errors.ts";
import { isObject, type JsonObject } from "../text/json.ts";
import { quote } from "../text/quote.ts";
import pluginText from "./opencode-plugin.js?raw";

export interface Agent {
  readonly title: string;
  /** The arguments of the tool call; null when it is no shell command whose output comes back with the call. */
  readonly argumentsOf: (event: JsonObject) => JsonObject | null;
  /** What is printed for a call whose arguments are to become these; `allow` skips the agent's question to its user. */
  readonly answer: (changed: JsonObject, allow: boolean) => JsonObject;
  readonly keepsDirectory: boolean;
  /** "user": the shell that the user logs in with, where it is bash or zsh. */
  readonly shell: "bash" | "user";
  /** Below the home directory; null where the agent reads settings of projects only. */
  readonly userFile: string | null;
  /** Below the project's directory. */
  readonly projectFile: string;
  /** What is to be in that file: settings to be merged into it, or the text of a file of its own. */
  readonly settings: JsonObject | string;
}

const commandHook = (name: string) => ({ type: "command", command: `toolout hook ${name}` });

export const agents = {
  "claude-code": {
    title: "Claude Code",
    argumentsOf: (event) =>
      shellCall(event, "tool_name", "Bash", "tool_input", ({ run_in_background }) => run_in_background),
    answer: (updatedInput, allow) => ({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        ...(allow ? { permissionDecision: "allow" } : {}),
        updatedInput,
      },
    }),
    keepsDirectory: true,
    shell: "user",
    userFile: ".claude/settings.json",
    projectFile: ".claude/settings.json",
    settings: { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [commandHook("claude-code")] }] } },
  },
  codex: {
    title: "Codex CLI",
    argumentsOf: (event) => shellCall(event, "tool_name", "Bash", "tool_input"),
    answer: (updatedInput) => ({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput },
    }),
    keepsDirectory: false,
    shell: "user",
    userFile: ".codex/hooks.json",
    projectFile: ".codex/hooks.json",
    settings: { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [commandHook("codex")] }] } },
  },
  copilot: {
    title: "GitHub Copilot CLI",
    argumentsOf: (event) => shellCall(event, "toolName", "bash", "toolArgs", ({ mode }) => mode === "async"),
    answer: (modifiedArgs, allow) => ({ ...(allow ? { permissionDecision: "allow" } : {}), modifiedArgs }),
    keepsDirectory: true,
    shell: "bash",
    userFile: null,
    projectFile: ".github/hooks/toolout.json",
    settings: { version: 1, hooks: { preToolUse: [{ type: "command", bash: "toolout hook copilot" }] } },
  },
  cursor: {
    title: "Cursor",
    argumentsOf: (event) => shellCall(event, "tool_name", "Shell", "tool_input"),
    answer: (updated_input) => ({ permission: "allow", updated_input }),
    keepsDirectory: true,
    shell: "user",
    userFile: ".cursor/hooks.json",
    projectFile: ".cursor/hooks.json",
    settings: { version: 1, hooks: { preToolUse: [{ command: "toolout hook cursor", matcher: "Shell" }] } },
  },
  gemini: {
    title: "Gemini CLI",
    argumentsOf: (event) =>
      shellCall(event, "tool_name", "run_shell_command", "tool_input", ({ is_background }) => is_background),
    answer: (tool_input) => ({ hookSpecificOutput: { hookEventName: "BeforeTool", tool_input } }),
    keepsDirectory: false,
    shell: "bash",
    userFile: ".gemini/settings.json",
    projectFile: ".gemini/settings.json",
    settings: {
      hooks: { BeforeTool: [{ matcher: "run_shell_command", hooks: [{ name: "toolout", ...commandHook("gemini") }] }] },
    },
  },
  opencode: {
    title: "OpenCode",
    argumentsOf: (event) => shellCall({ tool: "bash", args: event }, "tool", "bash", "args"),
    answer: ({ command }) => ({ command }),
    keepsDirectory: false,
    shell: "user",
    userFile: ".config/opencode/plugins/toolout.js",
    projectFile: ".opencode/plugins/toolout.js",
    settings: pluginText,
  },
} as const satisfies Record<string, Agent>;

export const agentNames = Object.keys(agents) as readonly (keyof typeof agents)[];

/** @throws Failure "usage" */
export function agentNamed(name: string): Agent {
  if (Object.hasOwn(agents, name)) return agents[name as keyof typeof agents];
  throw new Failure("usage", `no hook for the agent ${quote(name)}; there are ${agentNames.join(", ")}`);
}

/** The arguments of a call of the tool, which some agents write as JSON in a string. */
function shellCall(
  event: JsonObject,
  nameKey: string,
  tool: string,
  argumentsKey: string,
  isInBackground: (args: JsonObject) => unknown = () => false,
): JsonObject | null {
  if (event[nameKey] !== tool) return null;
  const args = objectOf(event[argumentsKey]);
  if (args === null || typeof args["command"] !== "string" || isInBackground(args) === true) return null;
  return args;
}

function objectOf(value: unknown): JsonObject | null {
  if (typeof value === "string") {
    try {
      return objectOf(JSON.parse(value));
    } catch {
      return null;
    }
  }
  return isObject(value) ? value : null;
}
