/** `toolout init`: the settings that put toolout in front of an agent's commands; written only when asked for. */
import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { writeWhole } from "../config/write.ts";
import { Failure, hasCode, reason } from "../errors.ts";
import { agentNamed } from "../hooks/agents.ts";
import { withSettings } from "../hooks/settings.ts";
import type { Io } from "../io.ts";
import { notice } from "../notice.ts";
import { isObject, type JsonObject } from "../text/json.ts";
import { formatDocument } from "../text/visible.ts";

export interface InitRequest {
  readonly agent: string;
  /** In the settings of the project in the current directory, not in the user's own. */
  readonly project: boolean;
  readonly write: boolean;
  readonly json: boolean;
}

/**
 * Prints what is to be in which file; with `write` puts it there, once, and keeps all else that is in it.
 * @throws Failure "usage" for an unknown agent, "io" for a file that cannot be read, understood or written; it is as it was.
 */
export async function init(request: InitRequest, io: Io): Promise<number> {
  const { title, settings, userFile, projectFile } = agentNamed(request.agent);
  const isProject = request.project || userFile === null;
  const path = isProject ? join(process.cwd(), projectFile) : join(home(io), userFile);
  const text = typeof settings === "string" ? settings : `${JSON.stringify(settings, null, 2)}\n`;
  const isChanged = request.write && put(path, settings, text);
  if (request.json) {
    io.stdout.write(formatDocument({ version: 1, agent: request.agent, path, settings, written: isChanged }));
    return 0;
  }
  if (!request.write) {
    io.stdout.write(text);
    notice(io.stderr, `this belongs in ${path}; with --write it is put there`);
  } else if (isChanged) notice(io.stderr, `${title} now asks toolout before it runs a command: ${path}`);
  else notice(io.stderr, `${path} has it already`);
  return 0;
}

/** False when all of it is there. */
function put(path: string, settings: JsonObject | string, text: string): boolean {
  const present = textIn(path);
  if (typeof settings === "string") {
    if (present === text) return false;
    writeWhole(path, text);
    return true;
  }
  const before = present === undefined || present.trim() === "" ? {} : parseSettings(path, present);
  const after = merge(path, before, settings);
  if (after === before) return false;
  writeWhole(path, `${JSON.stringify(after, null, indentOf(present))}\n`);
  return true;
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw new Failure("io", `${path} cannot be read: ${reason(error)}`, { cause: error });
  }
}

function parseSettings(path: string, text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {}
  throw untouched(path, "it is no JSON object (comments are none either)");
}

function merge(path: string, before: JsonObject, settings: JsonObject): JsonObject {
  try {
    return withSettings(before, settings);
  } catch (error) {
    throw untouched(path, (error as Error).message);
  }
}

function untouched(path: string, why: string): Failure {
  return new Failure("io", `${path} is left as it is: ${why}`, {
    hint: "add by hand what init prints without --write",
  });
}

/** As the file has it, so that the change is all that a diff shows. */
function indentOf(text: string | undefined): string | number {
  return /^[{[]\r?\n([ \t]+)/.exec(text ?? "")?.[1] ?? 2;
}

function home({ env: { HOME } }: Io): string {
  if (HOME && isAbsolute(HOME)) return HOME;
  throw new Failure("io", "there is no home directory for the settings", { hint: "use --project" });
}
