/** Holds README and the man page to the program: a document that drifts fails here. */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { exitStatus, type FailureKind, failureKinds } from "../src/errors.ts";
import { builtInProfiles, describeRange, formatLimit, isLimitKey, limitKeys, limitTable } from "../src/limits.ts";
import { type Copy, markerText } from "../src/preview/marker.ts";
import { buildProgram } from "../src/program.ts";
import { memoryIo } from "./commands/memory-io.ts";

const readme = readFileSync("README.md", "utf8");
const man = readFileSync("man/toolout.1", "utf8");
const configPage = readFileSync("man/toolout-config.5", "utf8");
const contributing = readFileSync("CONTRIBUTING.md", "utf8");

const { io, written } = memoryIo({});
const program = buildProgram({ io, invocation: { command: "", json: false }, ending: 0 });
const config = program.commands.find((command) => command.name() === "config") as Command;
const commands = program.commands.filter((command) => command !== config && command.name() !== "help");
const inner = [...config.commands];

const uri = "tool-output://ID";

/** What the marker says of copies that are not whole. */
const lesserCopies: readonly Copy[] = [
  { kind: "part", uri, keptBytes: 65_536 },
  { kind: "dropped", keptBytes: 65_536 },
  { kind: "none" },
];

describe("the man page", () => {
  it("has a section for every command, and for no other", () => {
    const headings = [...man.matchAll(/^\.Ss (.*)$/gm)].map(([, name]) => name);
    expect(headings.sort()).toEqual([...commands.map((command) => command.name()), "config"].sort());
  });

  it.each(named(commands))("has every option of %s, and no other", (name, command) => {
    const text = section(`.Ss ${name}`);
    expect(new Set(optionsIn(text))).toEqual(new Set(longOptions(command)));
    for (const { short } of command.options) {
      if (short) expect(text).toMatch(new RegExp(`^\\.It ${short} `, "m"));
    }
  });

  it("has every command of config with its options and operands, and no other", () => {
    const items = [...section(".Ss config").matchAll(/^\.It Cm config (\w+)(.*)$/gm)];
    expect(items.map(([, name]) => name).sort()).toEqual(inner.map((command) => command.name()).sort());
    for (const [line, name] of items) {
      const command = inner.find((one) => one.name() === name) as Command;
      expect(optionsIn(line)).toEqual(longOptions(command));
      for (const argument of command.registeredArguments) expect(line).toContain(` ${argument.name()}`);
    }
  });

  it("has the options of the program itself", () => {
    for (const { long, short } of program.options) expect(section(".Sh DESCRIPTION")).toContain(`${short} , ${long}`);
    expect(section(".Sh DESCRIPTION")).toContain("-h , --help");
  });

  it.each(limitKeys)("tells flag, variable, default and range of %s", (key) => {
    const { flag, variable } = limitTable[key];
    const [text] = typed(configPage.slice(configPage.indexOf(`.It Cm ${key}\n`))).split(/\n\.(?:It|El)/);
    expect(text).toContain(`.Ev ${variable} `);
    expect(text).toContain(`default ${formatLimit(key, limitTable[key].default)}; ${describeRange(key)}.`);
    expect(text).toContain(flag ?? "No flag");
    for (const command of limitTable[key].commands) expect(text).toMatch(new RegExp(`^\\.Cm ${command}\\b`, "m"));
  });

  it("tells what each built-in profile sets", () => {
    for (const [name, limits] of Object.entries(builtInProfiles)) {
      const values = Object.entries(limits).map(([key, value]) => {
        return isLimitKey(key) ? `${key} ${formatLimit(key, value)}` : key;
      });
      expect(configPage).toContain(`.Cm ${name}\n.Pq ${values.join(", ")}`);
    }
  });

  it("quotes the marker as it is printed", () => {
    expect(man).toContain(`\n\\&${markerLines({ kind: "whole", uri })[0]}\n`);
    expect(man).toContain(`\n\\&${markerLines({ kind: "whole", uri })[1]}\n`);
    for (const copy of lesserCopies) expect(man).toContain(`\n\\&${markerLines(copy)[0]}\n`);
  });

  it("names every kind of failure with its statuses", () => {
    for (const kind of failureKinds) {
      expect(man).toContain(`.It ${kind} Ta ${exitStatus(kind, "run")} Ta ${exitStatus(kind, "read")} Ta `);
    }
  });

  const hasMandoc = spawnSync("mandoc", ["-T", "lint", "/dev/null"]).error === undefined;
  it.skipIf(!hasMandoc).each(readdirSync("man"))("%s passes mandoc's lint (skipped without mandoc)", (page) => {
    expect(execFileSync("mandoc", ["-T", "lint", "-W", "warning", `man/${page}`], { encoding: "utf8" })).toBe("");
  });

  it("is installed with all that stand beside it", () => {
    const { man: installed } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(installed.sort()).toEqual(readdirSync("man").map((page) => `man/${page}`));
  });

  it("leaves the limits to toolout-config(5)", () => {
    for (const key of limitKeys) expect(man).not.toContain(limitTable[key].variable);
  });
});

describe("README", () => {
  it("is at most 150 lines", () => {
    expect(readme.split("\n").length).toBeLessThanOrEqual(151);
  });

  it.each(limitKeys)("has the row of %s", (key) => {
    const { flag, variable, default: preset, meaning } = limitTable[key];
    const cells = [`\`${key}\``, flag === null ? "-" : `\`${flag}\``, `\`${variable}\``, formatLimit(key, preset)];
    expect(readme).toContain(`| ${[...cells, describeRange(key), meaning].join(" | ")} |`);
  });

  it("quotes the first line of each marker", () => {
    for (const copy of [{ kind: "whole", uri } as const, ...lesserCopies]) {
      const [first = ""] = markerLines(copy);
      const told = first.replace(/^\.\.\. output truncated; | \.\.\.$/g, "").replace(uri, "URI");
      expect(readme).toContain(`| \`${told}\` |`);
    }
  });

  it("names each status that the program can end with", () => {
    const statuses = failureKinds.flatMap((kind: FailureKind) => [exitStatus(kind, "run"), exitStatus(kind, "read")]);
    for (const status of new Set(statuses)) expect(readme).toMatch(new RegExp(`^\\|[^|]*\\b${status}\\b`, "m"));
  });
});

it("CONTRIBUTING is at most 40 lines", () => {
  expect(contributing.split("\n").length).toBeLessThanOrEqual(41);
});

describe("the help", () => {
  it.each(named([...commands, ...inner]))("of %s has an example of it", (name, command) => {
    const before = written.out.length;
    command.outputHelp();
    const [, example] = written.out.toString("utf8", before).split("\nExample:\n");
    expect(example).toMatch(new RegExp(`\\btoolout (config )?${name}\\b`));
  });
});

/** The part of the man page below a heading, up to the next one, with options as they are typed: `--max-lines`. */
function section(heading: string): string {
  const start = man.indexOf(`${heading}\n`);
  const end = start + man.slice(start + 1).search(/\n\.S[sh] /);
  return start === -1 ? "" : typed(man.slice(start, end));
}

/** `.Fl -max-lines` is how mdoc writes `--max-lines`. */
function typed(text: string): string {
  return text.replace(/\bFl (-?[\w-]+)/g, "-$1");
}

function optionsIn(text: string): string[] {
  const items = text.split("\n").filter((line) => line.startsWith(".It"));
  return [...items.join("\n").matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option);
}

function longOptions(command: Command): string[] {
  return command.options.map(({ long }) => long ?? "");
}

/** Rows for `it.each`, whose `%s` takes the name. */
function named(all: readonly Command[]): (readonly [string, Command])[] {
  return all.map((command) => [command.name(), command] as const);
}

/** The two lines of a marker: of `seq 10000` for a whole copy, else of `seq 100000`. */
function markerLines(copy: Copy): string[] {
  const [bytes, omitted] = copy.kind === "whole" ? [48_894, 40_019] : [588_895, 579_022];
  const facts = { copy, bytes, omitted: { bytes: omitted, lines: 8004 }, headBytes: 3884, headEndsLine: true };
  return markerText(facts).trim().split("\n");
}
