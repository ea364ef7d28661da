import { Command } from "commander";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { definitions } from "../../src/cli/definitions.ts";
import { readPlainly } from "../../src/cli/plain.ts";

/** What commander makes of a command line; null where it refuses it or prints help. */
function readByCommander(argv: readonly string[]) {
  let line: unknown = null;
  const program = new Command("toolout").exitOverride().enablePositionalOptions().helpCommand("help [command]");
  program.configureOutput({ writeOut: () => {}, writeErr: () => {} }).version("1", "-V, --version");
  for (const [name, definition] of Object.entries(definitions)) {
    const command = program.command(name).helpOption("-h, --help").copyInheritedSettings(program);
    definition.define(command);
    command.action(() => {
      line = { name, operands: command.args, options: command.opts() };
    });
  }
  try {
    program.parse(argv, { from: "user" });
  } catch {
    return null;
  }
  return line;
}

const flags = Object.values(definitions).flatMap(({ define }) => {
  const command = new Command();
  define(command);
  return command.options.flatMap(({ short, long }) => [short, long].filter((form) => form !== undefined));
});
const word = fc.oneof(
  fc.constantFrom(...new Set(flags)),
  fc.constantFrom(
    "--",
    "-",
    "",
    "-h",
    "--help",
    "-V",
    "-5",
    "-cx",
    "--unknown",
    "--no-wait",
    "--maxlines",
    "--=",
    "x=y",
  ),
  fc.constantFrom("true", "last", "5", "50KiB", "help", "run", "pipe", "constructor", "__proto__"),
  fc.tuple(fc.constantFrom(...flags), fc.constantFrom("", "5", "a=b", "-x")).map((pair) => pair.join("=")),
);
const line = fc.tuple(
  fc.constantFrom(...Object.keys(definitions), "config", "help", "--json"),
  fc.array(word, { maxLength: 6 }),
);

describe("plain command lines", () => {
  it("are read as commander reads them, or left to it", () => {
    const check = ([name, words]: [string, string[]]) => {
      const plain = readPlainly([name, ...words], definitions);
      if (plain !== null) expect(plain).toEqual(readByCommander([name, ...words]));
    };
    fc.assert(fc.property(line, check), { numRuns: 4000 });
  });

  it.each([
    ["run -- npm test", { name: "run", operands: ["npm", "test"], options: {} }],
    ["run --max-lines 5 ls -l", { name: "run", operands: ["ls", "-l"], options: { maxLines: "5" } }],
    ["run -c x=1 --json", { name: "run", operands: [], options: { shell: "x=1", json: true } }],
    [
      "pipe --max-bytes=50KiB --no-redact",
      { name: "pipe", operands: [], options: { maxBytes: "50KiB", redact: false } },
    ],
    ["read last --tail 20", { name: "read", operands: ["last"], options: { tail: "20" } }],
    ["grep -i -- -x last", { name: "grep", operands: ["-x", "last"], options: { ignoreCase: true } }],
  ])("are %s and its like", (text, expected) => {
    expect(readPlainly(text.split(" "), definitions)).toEqual(expected);
  });

  it.each(["", "config list", "help run", "run --help", "run -cx", "run --max-lines", "read", "read a b", "pipe x"])(
    "are not %j and its like",
    (text) => {
      expect(readPlainly(text.split(" "), definitions)).toBeNull();
    },
  );
});
