import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentNames, agents } from "../../src/hooks/agents.ts";
import { Sandbox } from "./sandbox.ts";

type Json = Record<string, unknown>;

/** What each agent says before it runs a command, and where it finds the one to run instead. */
const calls: Record<string, { event: (command: string) => Json; changed: (answer: Json) => Json }> = {
  "claude-code": {
    event: (command) => ({ tool_name: "Bash", tool_input: { command, description: "d", timeout: 5 } }),
    changed: (answer) => (answer as { hookSpecificOutput: { updatedInput: Json } }).hookSpecificOutput.updatedInput,
  },
  codex: {
    event: (command) => ({ tool_name: "Bash", tool_input: { command } }),
    changed: (answer) => (answer as { hookSpecificOutput: { updatedInput: Json } }).hookSpecificOutput.updatedInput,
  },
  copilot: {
    event: (command) => ({ toolName: "bash", toolArgs: JSON.stringify({ command, mode: "sync" }) }),
    changed: ({ modifiedArgs }) => modifiedArgs as Json,
  },
  cursor: {
    event: (command) => ({ tool_name: "Shell", tool_input: { command, working_directory: "/" } }),
    changed: ({ updated_input }) => updated_input as Json,
  },
  gemini: {
    event: (command) => ({ tool_name: "run_shell_command", tool_input: { command } }),
    changed: (answer) => (answer as { hookSpecificOutput: { tool_input: Json } }).hookSpecificOutput.tool_input,
  },
  opencode: { event: (command) => ({ command }), changed: (answer) => answer },
};

async function ask(sandbox: Sandbox, agent: string, event: unknown, words: readonly string[] = []): Promise<Json> {
  const ended = await sandbox.run(["hook", agent, ...words], { input: JSON.stringify(event) });
  expect([ended.status, ended.stderr]).toEqual([0, ""]);
  return JSON.parse(ended.stdout.toString());
}

it.each(agentNames)("%s is given a command that does the same, bounded", async (agent) => {
  const sandbox = new Sandbox();
  const { event, changed } = calls[agent] as (typeof calls)[string];
  const command = `echo "it's" >&2; seq 9000; exit 3`;
  const args = changed(await ask(sandbox, agent, event(command)));
  const ended = await sandbox.bash(args["command"] as string);
  expect([ended.status, ended.stderr]).toEqual([3, "it's\n"]);
  expect(ended.stdout.toString()).toMatch(/^1\n.*full content available as tool-output:\/\/.*\n9000\n$/s);
});

it("keeps the other arguments of the call", async () => {
  const sandbox = new Sandbox();
  const { event, changed } = calls["claude-code"] as (typeof calls)[string];
  const args = changed(await ask(sandbox, "claude-code", event("ls")));
  expect(args).toEqual({ command: "toolout run -- bash -c ls", description: "d", timeout: 5 });
});

describe("a call is left as it is", () => {
  it.each([
    ["claude-code", { tool_name: "Edit", tool_input: { command: "ls" } }],
    ["claude-code", { tool_name: "Bash", tool_input: { command: "make", run_in_background: true } }],
    ["claude-code", { tool_name: "Bash", tool_input: { command: "toolout read last" } }],
    ["claude-code", { tool_name: "Bash", tool_input: { command: "cd x" } }],
    ["claude-code", { tool_name: "Bash" }],
    ["claude-code", {}],
    ["copilot", { toolName: "bash", toolArgs: "no json" }],
    ["copilot", { toolName: "bash", toolArgs: { command: "make", mode: "async" } }],
    ["gemini", { tool_name: "run_shell_command", tool_input: { command: 7 } }],
  ])("%s %j", async (agent, event) => {
    expect(await ask(new Sandbox(), agent, event)).toEqual({});
  });
});

it("allows a call only when told to, but for the agents that take no other", async () => {
  const sandbox = new Sandbox();
  const decision = async (agent: string, words: readonly string[] = []) => {
    const event = (calls[agent] as (typeof calls)[string]).event("ls");
    return JSON.stringify(await ask(sandbox, agent, event, words)).includes('"allow"');
  };
  expect(await decision("claude-code")).toBe(false);
  expect(await decision("claude-code", ["--allow"])).toBe(true);
  expect(await decision("copilot")).toBe(false);
  expect(await decision("codex")).toBe(true);
});

it("passes the profile on, and zsh to its users", async () => {
  const sandbox = new Sandbox();
  const input = JSON.stringify({ tool_name: "Bash", tool_input: { command: "ls" } });
  const env = { SHELL: "/usr/bin/zsh" };
  const ended = await sandbox.run(["hook", "codex", "--profile", "deepchat"], { input, env });
  expect(ended.stdout.toString()).toContain('"toolout run --profile deepchat -- zsh -c ls"');
});

it.each([
  [["hook", "nobody"], "{}", 'no hook for the agent "nobody"; there are claude-code, '],
  [["hook", "codex"], "", 'stdin must be the JSON of an event, not ""'],
  [["hook", "codex"], "[1]", "stdin must be a JSON object, not [1]"],
  [["hook", "codex", "--nothing"], "{}", "unknown option '--nothing'"],
  [["hook"], "{}", "missing required argument 'agent'"],
])("%j is one line and status 1, which no agent takes for a refusal", async (words, input, message) => {
  const ended = await new Sandbox().run(words, { input });
  expect([ended.status, ended.stdout.toString()]).toEqual([1, ""]);
  expect(ended.stderr).toContain(`toolout: ${message}`);
});

describe("init", () => {
  it.each(agentNames)("%s: prints, writes once, and says where", async (agent) => {
    const sandbox = new Sandbox();
    const { userFile, projectFile, settings } = agents[agent];
    const work = join(sandbox.directory, "work");
    const path = userFile === null ? join(work, projectFile) : join(sandbox.env["HOME"] as string, userFile);
    const line = (words: string) => sandbox.bash(`cd "$1" && toolout init ${agent} ${words}`, { args: [work] });
    const printed = await line("");
    const text = printed.stdout.toString();
    expect(typeof settings === "string" ? text : JSON.parse(text)).toEqual(settings);
    expect(printed.stderr).toContain(`this belongs in ${path}`);
    expect(() => statSync(path)).toThrow("ENOENT");
    expect((await line("--write")).status).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect((await line("--write")).stderr).toBe(`toolout: ${path} has it already\n`);
    const document = JSON.parse((await line("--project --json")).stdout.toString());
    expect(document).toEqual({ version: 1, agent, path: join(work, projectFile), settings, written: false });
  });

  it("keeps what is in the file, its indent and its mode", async () => {
    const sandbox = new Sandbox();
    const path = join(sandbox.env["HOME"] as string, ".gemini/settings.json");
    mkdirSync(dirname(path));
    writeFileSync(path, '{\n\t"theme": "x"\n}\n', { mode: 0o640 });
    expect((await sandbox.run(["init", "gemini", "--write"])).status).toBe(0);
    expect(readFileSync(path, "utf8")).toMatch(/^{\n\t"theme": "x",\n\t"hooks": {\n\t\t"BeforeTool"/);
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it.each(["{ // mine\n}", "[]", '{"hooks": []}'])("leaves %j as it is", async (text) => {
    const sandbox = new Sandbox();
    const path = join(sandbox.env["HOME"] as string, ".claude/settings.json");
    mkdirSync(dirname(path));
    writeFileSync(path, text);
    const ended = await sandbox.run(["init", "claude-code", "--write"]);
    expect([ended.status, ended.stdout.toString()]).toEqual([1, ""]);
    expect(ended.stderr).toMatch(/^toolout: \S+ is left as it is: .*; hint: add by hand .*\n$/);
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});

it("the plugin of OpenCode changes the command, and leaves one alone that it cannot", async () => {
  const sandbox = new Sandbox();
  const path = join(sandbox.directory, "work", "plugin.mjs");
  writeFileSync(path, agents.opencode.settings);
  const script = `
    const { toolout } = await import(process.argv[1]);
    const before = (await toolout())["tool.execute.before"];
    for (const [tool, command] of [["bash", "seq 3"], ["bash", "toolout read last"], ["edit", "seq 3"]]) {
      const output = { args: { command, cwd: "/" } };
      await before({ tool }, output);
      console.log(JSON.stringify(output.args));
    }`;
  const ended = await sandbox.bash('node --input-type=module -e "$1" "$2"', { args: [script, path] });
  expect(
    ended.stdout
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { command: "toolout run -- bash -c 'seq 3'", cwd: "/" },
    { command: "toolout read last", cwd: "/" },
    { command: "seq 3", cwd: "/" },
  ]);
});
