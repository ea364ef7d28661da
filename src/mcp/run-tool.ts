import { closeSync } from "node:fs";
import { Failure } from "../errors.ts";
import { type LimitKey, limitTable } from "../limits.ts";
import type { RunSummary } from "../output/run-results.ts";
import { parseDuration } from "../text/quantity.ts";
import { quote } from "../text/quote.ts";
import type { Arguments, Property } from "./arguments.ts";
import { callIo } from "./call-io.ts";
import { openStdin } from "./command-stdin.ts";
import { type Answer, type Host, limitsFor, modelText, type Part, type Tool, textParts } from "./tool.ts";

/**
 * The SDK's client sends TERM 2 s after it closed our stdin, and KILL after another 2: by then everything that a command
 * started has to be gone.
 */
const killAfterMs = 2_000;

/** Limits of the answer that a call may set, by the names of its arguments. Those of disk and secrets are the owner's. */
const limitArguments = { maxLines: "maxLines", maxBytes: "maxBytes", maxChars: "runChars", headPercent: "headPercent" };

export const runTool: Tool = {
  name: "run",
  title: "Run a command",
  description:
    "Run a command and get what it prints, with its exit status as the last line. A long output is shown by its beginning and its end, with a line between them that names the stored whole (tool-output://ID); get the rest with read or grep instead of running the command again. Give either command or argv.",
  inputSchema: {
    type: "object",
    properties: {
      command: { type: "string", description: "a line for sh -c, such as: npm test 2>&1 | grep -v ok" },
      argv: {
        type: "array",
        items: { type: "string" },
        minItems: 1,
        description: "a program and its arguments, taken as they are, without a shell",
      },
      directory: { type: "string", description: "directory to run it in" },
      stdin: { type: "string", description: "text that the command reads from its stdin; nothing by default" },
      timeout: {
        type: "string",
        description: "time after which the command and all it started is ended, such as 90s or 10m; none by default",
      },
      merge: { type: "boolean", description: "stdout and stderr in one, in the order they were written" },
      ...(Object.fromEntries(
        Object.entries(limitArguments).map(([name, key]) => [name, limitProperty(key as LimitKey)]),
      ) as Record<string, Property>),
    },
    required: [],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  call: runCommand,
};

async function runCommand(args: Arguments, host: Host, cancel: AbortSignal): Promise<Answer> {
  const { env } = host.io;
  const command = commandOf(args);
  const timeoutMs = timeoutOf(args);
  const limits = await limitsFor(host, limitFlags(args));
  const stdin = openStdin(args.text("stdin"), env);
  try {
    const call = callIo(stdin, env);
    const request = {
      command,
      directory: args.text("directory"),
      merge: args.flag("merge"),
      timeoutMs,
      killAfterMs,
      tee: false,
      waitForEnd: false,
      format: "text" as const,
      session: host.session,
      call: undefined,
      name: undefined,
      recordCommand: false,
    };
    let summary: RunSummary | undefined;
    const onSummary = (told: RunSummary) => {
      summary = told;
    };
    const { run } = await import("../commands/run.ts");
    await run(request, limits, call.io, { cancel, onSummary });
    return {
      content: [...textParts(modelText(call.out())), ...linksOf(summary)],
      _meta: { "toolout/run": summary },
    };
  } finally {
    closeSync(stdin);
  }
}

/** @throws Failure "usage" */
function commandOf(args: Arguments): readonly string[] {
  const [line, words] = [args.text("command"), args.words("argv")];
  if (line !== undefined && words !== undefined) throw new Failure("usage", "command and argv exclude each other");
  if (words !== undefined) return words;
  if (line !== undefined) return ["sh", "-c", line];
  throw new Failure("usage", "run needs command (a line for sh -c) or argv (a program and its arguments)");
}

/** @throws Failure "usage" */
function timeoutOf(args: Arguments): number | undefined {
  const said = args.text("timeout");
  const ms = said === undefined ? undefined : parseDuration(said);
  if (said === undefined || (ms !== undefined && ms > 0)) return ms;
  throw new Failure("usage", `timeout must be a number with a unit, above 0, such as 90s or 10m, not ${quote(said)}`);
}

function limitFlags(args: Arguments): Partial<Record<LimitKey, string>> {
  const flags: Partial<Record<LimitKey, string>> = {};
  for (const [name, key] of Object.entries(limitArguments) as [string, LimitKey][]) {
    const said = args.text(name);
    if (said !== undefined) flags[key] = said;
  }
  return flags;
}

function limitProperty(key: LimitKey): Property {
  const { meaning, least, most } = limitTable[key];
  return { type: "integer", minimum: least, maximum: most, description: meaning };
}

function linksOf(summary: RunSummary | undefined): Part[] {
  return Object.values(summary?.outputs ?? {}).flatMap(({ resource }): Part[] => {
    if (resource === null) return [];
    const { uri, name, mime: mimeType, size } = resource;
    return [{ type: "resource_link", uri, name, mimeType, size }];
  });
}
