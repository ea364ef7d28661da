import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shapeOf } from "../../src/cli/shape.ts";
import { type Ask, askOf } from "../../src/completion/ask.ts";
import { buildProgram } from "../../src/program.ts";
import { memoryIo } from "../commands/memory-io.ts";

const { io } = memoryIo({});
const program = shapeOf(buildProgram({ io, invocation: { command: "", json: false }, ending: 0 }));

/** What is asked for, in a word or two. */
function told(ask: Ask): string {
  if (ask.kind === "operand") return `operand ${ask.name}`;
  if (ask.kind === "value") return `value of ${ask.option.long}${ask.prefix && ` after ${ask.prefix}`}`;
  if (ask.kind === "options")
    return ask.options.some(({ long }) => long === "--max-lines") ? "options of run" : "options";
  return ask.kind === "command line" ? `command line ${ask.from}` : ask.kind;
}

describe("a half-typed line asks for", () => {
  it.each([
    { line: "", asks: "commands" },
    { line: "ru", asks: "commands" },
    { line: "config ", asks: "commands" },
    { line: "config set ", asks: "operand key" },
    { line: "config set overflow ", asks: "operand value" },
    { line: "run -", asks: "options of run" },
    { line: "run ", asks: "command line 1" },
    { line: "run -- ", asks: "command line 2" },
    { line: "run --merge -- git -", asks: "command line 3" },
    { line: "run --timeout 5s git --ver", asks: "command line 3" },
    { line: "run --timeout=5s git", asks: "command line 2" },
    { line: "run -c x ", asks: "operand command" },
    { line: "run --profile ", asks: "value of --profile" },
    { line: "run --profile=we", asks: "value of --profile after --profile=" },
    { line: "run -C", asks: "options of run" },
    { line: "run -C ", asks: "value of --directory" },
    { line: "run -Csr", asks: "value of --directory after -C" },
    { line: "read ", asks: "operand target" },
    { line: "read last ", asks: "options" },
    { line: "read -- -", asks: "operand target" },
    { line: "grep -i ", asks: "operand pattern" },
    { line: "grep -C 2 error ", asks: "operand target" },
    { line: "rm one two ", asks: "operand reference" },
    { line: "completion ", asks: "operand shell" },
    { line: "help config ", asks: "operand word" },
    { line: "bogus ", asks: "nothing" },
  ])("$asks: toolout $line", ({ line, asks }) => {
    expect(told(askOf(line.split(" "), program))).toBe(
      asks.replace(/^options of run$/, told(askOf(["run", "-"], program))),
    );
  });

  it("something, whatever the words are", () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom("run", "config", "set", "--", "-", "--profile", "-C", "__proto__"),
    );
    fc.assert(fc.property(fc.array(word), (words) => void askOf(words, program)));
  });
});
