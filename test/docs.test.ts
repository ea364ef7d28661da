/** Holds README and the man page to the program: a document that drifts fails here. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { exitStatus, type FailureKind, failureKinds } from "../src/errors.ts";
import { describeRange, formatLimit, limitKeys, limitTable } from "../src/limits.ts";
import { buildProgram } from "../src/program.ts";
import { memoryIo } from "./commands/memory-io.ts";

const readme = readFileSync("README.md", "utf8");
const man = readFileSync("man/toolout.1", "utf8");
/** The man page's words without the macros that mark them: `.Fl -max-lines Ar n` becomes `--max-lines n`. */
const manText = man.replace(/\bFl (-?[\w-]+)/g, "-$1").replace(/^\.|\b(Cm|Ar|Ev|Op|Pq|Li|Ns|Ql|Pa|Oo|Oc) /gm, "");

const { io, written } = memoryIo({});
const program = buildProgram({ io, invocation: { command: "", json: false }, ending: 0 });
const config = program.commands.find((command) => command.name() === "config") as Command;
const commands = [...program.commands.filter((command) => command !== config && command.name() !== "help")];
const inner = [...config.commands];

/** The part of the man page about one command. */
function section(name: string): string {
  const start = man.indexOf(`.Ss ${name}\n`);
  const end = start + man.slice(start + 1).search(/\n\.S[sh] /);
  return man.slice(start, end).replace(/\bFl (-?[\w-]+)/g, "-$1");
}

describe("the man page", () => {
  it.each(commands.map((command) => [command.name(), command] as const))("has every option of %s", (name, command) => {
    const text = section(name);
    expect(text.length).toBeGreaterThan(20);
    for (const { long, short, hidden } of command.options) {
      if (hidden) continue;
      expect(text).toMatch(new RegExp(`${long}\\b(?!-)`));
      if (short) expect(text).toMatch(new RegExp(`(^|[ ,])${short}\\b`, "m"));
    }
  });

  it.each(commands.map((command) => [command.name(), command] as const))(
    "has no option that %s lacks",
    (name, command) => {
      const text = section(name)
        .split("\n")
        .filter((line) => line.startsWith(".It"));
      const known = command.options.map(({ long }) => long);
      for (const [option] of text.join("\n").matchAll(/--[a-z][a-z-]*/g)) expect(known).toContain(option);
    },
  );

  it("has every command of config", () => {
    for (const command of inner) expect(man).toContain(`.It Cm config ${command.name()}`);
  });

  it.each(limitKeys)("tells flag, variable, default and range of %s", (key) => {
    const { flag, variable } = limitTable[key];
    const text =
      man
        .slice(man.indexOf(`.It Cm ${key}\n`))
        .split("\n.It")[0]
        ?.replace(/\bFl (-?[\w-]+)/g, "-$1") ?? "";
    expect(text).toContain(`.Ev ${variable} `);
    expect(text).toContain(`default ${formatLimit(key, limitTable[key].default)}; ${describeRange(key)}.`);
    expect(text).toContain(flag ?? "No flag");
  });

  it("names every kind of failure with its statuses", () => {
    for (const kind of failureKinds) {
      expect(man).toContain(`.It ${kind} Ta ${exitStatus(kind, "run")} Ta ${exitStatus(kind, "read")} Ta `);
    }
  });

  it("names the variables that the program reads", () => {
    for (const name of ["TOOLOUT_PROFILE", "TOOLOUT_SESSION", "TOOLOUT_DATA_DIR", "XDG_DATA_HOME", "NO_COLOR"]) {
      expect(manText).toContain(name);
    }
  });

  const hasMandoc = spawnSync("mandoc", ["-T", "lint", "/dev/null"]).error === undefined;
  it.skipIf(!hasMandoc)("passes mandoc's lint (skipped without mandoc)", () => {
    expect(execFileSync("mandoc", ["-T", "lint", "-W", "warning", "man/toolout.1"], { encoding: "utf8" })).toBe("");
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

  it("names each status that the program can end with", () => {
    const statuses = failureKinds.flatMap((kind: FailureKind) => [exitStatus(kind, "run"), exitStatus(kind, "read")]);
    for (const status of new Set(statuses)) expect(readme).toMatch(new RegExp(`^\\|[^|]*\\b${status}\\b`, "m"));
  });
});

describe("the help", () => {
  it.each([...commands, ...inner].map((command) => [command.name(), command] as const))(
    "of %s has an example",
    (_, command) => {
      command.outputHelp();
      const help = written.out.toString();
      expect(help.slice(help.lastIndexOf("Usage: "))).toMatch(/\nExample:\n {2}toolout |\n {2}make /);
    },
  );
});
