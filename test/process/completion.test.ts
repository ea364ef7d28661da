/** Completion in the real shells, each started afresh with nothing but toolout's script; skipped where one is missing. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Sandbox } from "./sandbox.ts";
import { hasTerminal, Terminal } from "./terminal.ts";

const isThere = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;

/** What the shell offers for the line, the cursor behind it: the words alone. */
type Complete = (sandbox: Sandbox, line: string, env?: Record<string, string>) => Promise<string[]>;

/** Readline hands the words as COMP_WORDS, broken at = and : too (bash(1)). */
const completeInBash: Complete = async (sandbox, line, env = {}) => {
  const words: string[] = line.match(/[=:]|[^\s=:]+/g) ?? [];
  if (line.endsWith(" ")) words.push("");
  const script = `eval "$(toolout completion bash)"; COMP_LINE=$1 COMP_POINT=\${#1}; shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _toolout; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await sandbox.bash(script, { args: [line, ...words], env });
  expect(stderr).toBe("");
  return stdout.toString().split("\n").filter(Boolean);
};

const completeInFish: Complete = async (sandbox, line, env = {}) => {
  const script = `fish --no-config -c 'toolout completion fish | source; complete -C $argv[1]' -- "$1"`;
  const { stdout, stderr } = await sandbox.bash(script, { args: [line], env });
  expect(stderr).toBe("");
  return stdout
    .toString()
    .split("\n")
    .filter(Boolean)
    .map((found) => found.split("\t")[0] as string);
};

/** What compsys would add to its list is printed in place of being added; zpty(1) gives it the line editor it needs. */
const completeInZsh: Complete = async (sandbox, line, env = {}) => {
  const script = `zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'PROMPT= RPROMPT= ; stty -echo; autoload -Uz compinit; compinit -u -D; source $HOME/capture.zsh; print ready-$((1+1))'
    zpty -r shell REPLY '*ready-2*'
    zpty -n -w shell "$1"$'\\t'
    zpty -r shell REPLY '*begin-list*end-list*'
    print -r -- "$REPLY"`;
  writeFileSync(join(sandbox.env["HOME"] as string, "capture.zsh"), capture);
  const { stdout, stderr } = await sandbox.bash(`zsh -f -c "$2" zsh "$1"`, { args: [line, script], env });
  expect(stderr).toBe("");
  const [, list = ""] = /begin-list([\s\S]*?)end-list/.exec(stdout.toString()) ?? [];
  return list.split(/\r?\n/).filter(Boolean);
};

const capture = `eval "$(toolout completion zsh)"
compadd() {
  local -a kept
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  builtin compadd -A kept "$@"
  (( $#kept )) && print -l -- $kept
  builtin compadd "$@"
}
list-all() { print -r -- begin-list; zle complete-word; print -r -- end-list; }
zle -N list-all
zle -C complete-word complete-word _main_complete
zstyle ':completion:*' completer _complete
bindkey '^I' list-all
`;

describe.each([
  { shell: "bash", complete: completeInBash },
  { shell: "zsh", complete: completeInZsh },
  { shell: "fish", complete: completeInFish },
])("in $shell", ({ shell, complete }) => {
  const test = it.skipIf(!isThere(shell));

  test("commands, options, profiles and words of limits complete", async () => {
    const sandbox = new Sandbox();
    mkdirSync(join(sandbox.directory, "config/toolout"), { recursive: true });
    writeFileSync(join(sandbox.directory, "config/toolout/config.json"), '{"profiles":{"webfarm":{"maxLines":9}}}');
    expect(await complete(sandbox, "toolout co")).toEqual(expect.arrayContaining(["config", "completion"]));
    expect(await complete(sandbox, "toolout read --of")).toEqual(["--offset"]);
    expect((await complete(sandbox, "toolout pipe --profile web")).sort()).toEqual([
      "webfarm",
      "webfetch",
      "websearch",
    ]);
    expect((await complete(sandbox, "toolout run --overflow re")).sort()).toEqual(["reject"]);
    expect(await complete(sandbox, "toolout help exit")).toEqual(["exit-status"]);
    expect(await complete(sandbox, "toolout config set headP")).toEqual(["headPercent"]);
  });

  test("stored outputs complete by ID, those of the session alone", async () => {
    const sandbox = new Sandbox();
    const env = { TOOLOUT_SESSION: "a" };
    const store = `seq 9999 | toolout pipe --max-lines 5 --json`;
    const uriOf = async (session: string) => {
      const { stdout } = await sandbox.bash(`${store} --session ${session}`);
      return JSON.parse(stdout.toString()).resource.uri as string;
    };
    const [mine, others] = [await uriOf("a"), await uriOf("b")].map((uri) => uri.replace("tool-output://", ""));
    const found = await complete(sandbox, "toolout show ", env);
    expect(found.map((word) => word.trim()).sort()).toEqual([mine, "last"].sort());
    expect(await complete(sandbox, "toolout rm --any-session ", env)).toEqual(expect.arrayContaining([mine, others]));
  });

  test("the words after run are a command line of their own", async () => {
    const sandbox = new Sandbox();
    writeFileSync(join(sandbox.work, "here.txt"), "");
    for (const line of ["toolout run -- mkfif", "toolout run --merge mkfif", "toolout run --name=x mkfif"]) {
      expect((await complete(sandbox, line)).map((word) => word.trim())).toContain("mkfifo");
    }
  });

  test("files complete where a file is read", async () => {
    const sandbox = new Sandbox();
    writeFileSync(join(sandbox.work, "here.txt"), "");
    expect((await complete(sandbox, "toolout read her")).map((word) => word.trim())).toEqual(["here.txt"]);
  });
});

it("of --profile=NAME bash is given what follows the =", async () => {
  expect(await completeInBash(new Sandbox(), "toolout run --profile=webf")).toEqual(["webfetch"]);
});

it.skipIf(!hasTerminal)("a tab at the prompt of bash completes", async () => {
  const sandbox = new Sandbox();
  const terminal = new Terminal(sandbox, ["bash", "--norc", "-i"]);
  await terminal.enter(`eval "$(toolout completion bash)"; bind 'set enable-bracketed-paste off'`);
  await terminal.prompts();
  terminal.type("toolout config path --he\t\n");
  await terminal.shows("Usage: toolout config path");
});

it("a shell without a script is refused", async () => {
  const { status, stderr } = await new Sandbox().run(["completion", "tcsh"]);
  expect([status, stderr]).toEqual([2, 'toolout: no completion for the shell "tcsh"; there are bash, zsh, fish\n']);
});
