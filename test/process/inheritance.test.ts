import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { limitToRestore } from "../../src/process/open-files.ts";
import { rawWords, shellScript, withNumberNames } from "../../src/process/raw-words.ts";
import { type Finished, Sandbox } from "./sandbox.ts";

/** What differs is shown as text. */
function told({ status, signal, stdout, stderr }: Finished) {
  return { status, signal, stdout: stdout.toString(), stderr };
}

/** The shell line with and without toolout before `"$@"`. */
async function both(line: string, args: readonly string[], env: Record<string, string> = {}) {
  const sandbox = new Sandbox();
  const bare = await sandbox.bash(line.replaceAll("toolout run -- ", ""), { args, env });
  return { bare: told(bare), wrapped: told(await sandbox.bash(line, { args, env })) };
}

describe("a command inherits", () => {
  it.each([
    ["the umask", "umask 027; toolout run -- sh -c 'umask; touch made; ls -l made | cut -c 1-10'"],
    ["the directory", "mkdir -p 'a b'; cd 'a b'; toolout run -- pwd"],
    ["the directory as it is called", "mkdir -p a; ln -sfn a l; cd l; toolout run -- sh -c 'pwd; echo $PWD'"],
    [
      "limits",
      "ulimit -c 0; ulimit -Sf 1000; ulimit -Ss 4096; ulimit -Sv 4000000000; toolout run -- bash -c 'ulimit -a'",
    ],
    ["the soft limit of open files", "ulimit -Sn 256; toolout run -- bash -c 'ulimit -Sn; ulimit -Hn'; true"],
    ["niceness", "nice -n 5 toolout run -- nice"],
  ])("%s", async (_, line) => {
    const { bare, wrapped } = await both(line, []);
    expect(wrapped).toEqual(bare);
    expect(bare.status).toBe(0);
  });

  it.each([
    [["", " ", "a b", "-n", "--", "--json", "*", "$HOME", "`x`", "'", '"', "\\", "\n", "é", "😀", "\u202e", "\x01"]],
    [["x".repeat(50_000)]],
  ])("its arguments as they are", async (args) => {
    const { bare, wrapped } = await both(`toolout run -- printf '[%s]' "$@" | od -c`, args);
    expect(wrapped).toEqual(bare);
  });

  it("what is too long to be kept as it is, in another form", async () => {
    const line = "V=$(head -c 40000 /dev/zero | tr '\\0' '\\377') toolout run -- sh -c 'echo ${#V}'";
    const ended = await new Sandbox().bash(line, { env: { LC_ALL: "C" } });
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    expect(Number(ended.stdout.toString())).toBeGreaterThanOrEqual(40_000);
  });

  it("its environment as it is, odd names too", async () => {
    const line = "toolout run -- env -0 | tr '\\0' '\\n' | grep -v '^_=' | sort";
    const odd = {
      "npm_config_//host/:_token": "x",
      "BASH_FUNC_f%%": "() { :; }",
      EMPTY: "",
      LINES_: "a\nb",
      PWD: "/odd",
    };
    const { bare, wrapped } = await both(line, [], odd);
    expect(wrapped).toEqual(bare);
    expect(bare.stdout).toContain("npm_config_//host/:_token=x\n");
  });

  it("arguments and variables that are not UTF-8", async () => {
    const sandbox = new Sandbox();
    const line = `export V=$'\\xff\\n'; env a.b=c IFS=x toolout run -- env "$(printf 'Z=\\377')" | sort | grep -v ^_=
      toolout run -- sh -c 'printf "[%s]" "$0" "$@" "$V"' $'caf\\xe9' $'\\xe8\\n' '%s' 'ü' "" | od -c
      toolout run -c $'printf "\\xe9"' | od -c`;
    const bare = await sandbox.bash(line.replaceAll("toolout run -- ", "").replace("toolout run", "sh"));
    expect(told(await sandbox.bash(line))).toEqual(told(bare));
  });

  it.runIf(spawnSync("script", ["--version"]).status === 0)("that nohup at a terminal ignores HUP", async () => {
    const sandbox = new Sandbox();
    const inner = "nohup toolout run -- sh -c 'kill -HUP $$; echo alive'; cat nohup.out";
    const ended = await sandbox.bash('script -qec "$1" /dev/null', {
      args: [inner],
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(ended.stdout.toString()).toContain("alive");
  });
});

describe("a directory of PATH in which every name runs toolout", () => {
  it("does not make it call itself", async () => {
    const sandbox = new Sandbox();
    const line = `mkdir shims; for name in mkfifo prlimit cat sh nohup; do
        printf '#!/bin/bash\\necho %s >> "%s/called"; exec toolout run -- "%s" "$@"\\n' $name "$PWD" $(type -P $name) > shims/$name
      done; chmod +x shims/*; ulimit -Sn 256; PATH="$PWD/shims:$PATH" toolout run -- bash -c 'echo text; sleep 0.5'; cat called`;
    const ended = await sandbox.bash(line);
    expect([ended.status, ended.stdout.toString()]).toEqual([1, "text\n"]); // cat finds no record of a call
  });
});

describe("the limit of open files to restore", () => {
  const limits = (soft: string, hard: string) =>
    `Limit                     Soft Limit           Hard Limit           Units     \n` +
    `Max open files            ${soft.padEnd(20)} ${hard.padEnd(20)} files     \n`;
  it.each([
    ["4096", "1024", 1024],
    ["1024", "1024", null],
    ["1024", "4096", null],
    ["4096", "unlimited", null],
    ["4096", "32", null],
  ])("ours %s, the parent's %s: %s", (own, parent, want) => {
    expect(limitToRestore(limits(own, "4096"), limits(parent, "4096"))).toBe(want);
  });

  it("is none where /proc does not tell", () => {
    expect(limitToRestore("", "")).toBe(null);
    expect(limitToRestore(limits("4096", "4096"), "")).toBe(null);
  });
});

describe("what Node would alter", () => {
  const latin = (text: string) => Buffer.from(text, "latin1");

  it("is found by its place, or by how it reads", () => {
    const started = [latin("node"), latin("toolout"), latin("\xe8"), latin("\xe9"), latin("ok")];
    expect(rawWords(["\ufffd", "\ufffd", "ok"], started)).toEqual([latin("\xe8"), latin("\xe9"), "ok"]);
    expect(rawWords(["sh", "-c", "\ufffd"], started)).toEqual(["sh", "-c", latin("\xe8")]);
    expect(rawWords(["\ufffd"], [Buffer.from("\ufffd")])).toEqual(["\ufffd"]);
    expect(rawWords(["unknown \ufffd"], started)).toEqual(["unknown \ufffd"]);
  });

  it("reaches the command through a shell", () => {
    const words = [
      latin("\xe9\n\n"),
      ...Array.from({ length: 9 }, (_, i) => `${i}`),
      latin("-\xe8'\\%"),
      latin("-\xff"),
    ];
    const line = [
      "/usr/bin/env",
      "-i",
      latin("V=\xff\n"),
      "a.b=c d",
      "sh",
      "-c",
      'printf "%s." "$V" "$@"',
      "sh",
      ...words,
    ];
    const { stdout } = spawnSync("sh", ["-c", shellScript(line), "sh", ...line.map(String)]);
    expect(stdout).toEqual(latin("\xff\n.\xe9\n\n.0.1.2.3.4.5.6.7.8.-\xe8'\\%.-\xff."));
  });

  it("is also a variable named by a number", () => {
    expect(withNumberNames({ A: "b" }, [latin("A=b"), latin("7=x=y"), latin("10=")])).toEqual({
      A: "b",
      "7": "x=y",
      "10": "",
    });
  });
});
