import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { topicNames } from "../src/cli/topics.ts";
import { main } from "../src/main.ts";
import { memoryIo } from "./commands/memory-io.ts";

async function toolout(args: readonly string[], env: Record<string, string> = {}, isTerminal = false) {
  const directory = mkdtempSync(join(tmpdir(), "toolout-main-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const { io, written } = memoryIo({ HOME: directory, PATH: process.env["PATH"], ...env }, isTerminal);
  const status = await main(args, io);
  return { status, out: written.out.toString(), err: written.err.toString() };
}

const names = ["run", "pipe", "read", "grep", "list", "show", "rm", "gc", "config", "open", "stats", "completion"];

describe("the command line", () => {
  it("prints version and help on stdout, with status 0", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(await toolout(["--version"])).toEqual({ status: 0, out: `toolout ${version}\n`, err: "" });
    const help = await toolout(["--help"]);
    expect([help.status, help.err]).toEqual([0, ""]);
    for (const name of names) expect(help.out).toContain(`\n  ${name} `);
  });

  it.each(names)("prints the help of %s both ways", async (name) => {
    const one = await toolout([name, "--help"]);
    const other = await toolout(["help", name]);
    expect(one.status).toBe(0);
    expect(one.out).toContain(`Usage: toolout ${name}`);
    expect(other.out).toContain(`Usage: toolout ${name}`);
  });

  it.each(topicNames)("prints the topic %s, and names it in the help", async (topic) => {
    const { status, out, err } = await toolout(["help", topic]);
    expect([status, err]).toEqual([0, ""]);
    expect(out).toMatch(/^[\s\S]+\n$/);
    expect((await toolout(["--help"])).out).toContain(topic);
  });

  it("prints the help of a command of config", async () => {
    expect((await toolout(["help", "config", "set"])).out).toContain("Usage: toolout config set");
  });

  it("without a command prints help on stderr, with status 2", async () => {
    for (const args of [[], ["config"]]) {
      const ended = await toolout(args);
      expect([ended.status, ended.out]).toEqual([2, ""]);
      expect(ended.err).toContain("Usage: toolout");
    }
  });

  it.each([
    { args: ["bogus"], status: 2, says: "unknown command 'bogus'" },
    { args: ["help", "bogus"], status: 2, says: 'unknown command or topic "bogus"' },
    { args: ["help", "limit"], status: 2, says: "Did you mean limits?" },
    { args: ["help", "config", "sett"], status: 2, says: "Did you mean set?" },
    { args: ["lst"], status: 2, says: "Did you mean list?" },
    { args: ["run", "--bogus"], status: 125, says: "unknown option '--bogus'" },
    { args: ["run", "--max-line", "9", "x"], status: 125, says: "Did you mean --max-lines?" },
    {
      args: ["run", "--timeout", "soon", "x"],
      status: 125,
      says: '--timeout must be a number with a unit, above 0, such as 90s or 1h30m, not "soon"',
    },
    { args: ["run", "--timeout", "0s", "x"], status: 125, says: '"0s"' },
    { args: ["run", "--name"], status: 125, says: "argument missing" },
    { args: ["run", "--json", "--text", "x"], status: 125, says: "exclude each other" },
    { args: ["pipe", "extra"], status: 2, says: "too many arguments" },
    { args: ["read"], status: 2, says: "missing required argument" },
    { args: ["config", "set", "maxLines"], status: 2, says: "missing required argument" },
    { args: ["config", "bogus"], status: 2, says: "unknown command 'bogus'" },
    { args: ["run", "--overflow", "maybe", "x"], status: 125, says: "store, drop, reject" },
    { args: ["run", "--max-bytes", "12", "x"], status: 125, says: "1KiB - 64MiB" },
    { args: ["read", "--lines", "1.5", "last"], status: 2, says: '"1.5"' },
    { args: ["read", "--tail", "1", "--line", "2", "last"], status: 2, says: "--tail" },
  ])("refuses $args with one line", async ({ args, status, says }) => {
    const ended = await toolout(args);
    expect([ended.status, ended.out]).toEqual([status, args.includes("--json") ? ended.out : ""]);
    const said = ended.err || ended.out;
    expect(said).toMatch(/^[^\n]+\n$/);
    expect(said).toContain(says);
  });

  it("gives a person the hint on a line of its own, in colour only where that is wanted", async () => {
    const plain = await toolout(["run", "--bogus"], { NO_COLOR: "1" }, true);
    expect(plain.err).toBe("toolout: unknown option '--bogus'\n  hint: toolout run --help\n");
    const coloured = await toolout(["run", "--bogus"], { TERM: "xterm" }, true);
    expect(coloured.err).toContain("\u001b[31m");
    for (const env of [{ TERM: "dumb" }, { FORCE_COLOR: "0" }]) {
      expect((await toolout(["run", "--bogus"], env, true)).err).not.toContain("\u001b");
    }
    expect((await toolout(["run", "--bogus"], { FORCE_COLOR: "1" })).err).toContain("\u001b[31m");
  });

  it("never shows control characters of a bad argument", async () => {
    const ended = await toolout(["run", "--\u001b[2Jx"]);
    expect(ended.status).toBe(125);
    expect(ended.err).not.toContain("\u001b");
  });
});
