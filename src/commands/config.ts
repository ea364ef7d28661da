/** `toolout config`: the limits in force and where they come from, and the file that holds the user's own. */

import { type Config, loadLimits, readConfig } from "../config/load.ts";
import { fileFaults, type ResolvedLimits } from "../config/resolve.ts";
import { parseConfigKey, withoutValue, withValue } from "../config/values.ts";
import { writeConfig } from "../config/write.ts";
import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import { formatLimit, type LimitKey, limitKeys, limitTable, parseLimit } from "../limits.ts";
import { configFile } from "../paths.ts";

export interface ConfigListRequest {
  readonly json: boolean;
  /** `--profile`; undefined when not said. */
  readonly profile?: string | undefined;
}

export interface ConfigGetRequest extends ConfigListRequest {
  /** `maxLines`, or `profiles.NAME.maxLines` for what is in force under a profile. */
  readonly key: string;
}

/** Prints every limit with its value and origin; 1 when the file cannot be read, and what is wrong in it on stderr. */
export async function configList({ json, profile }: ConfigListRequest, io: Io): Promise<number> {
  const resolved = await loadLimits({ flags: {}, profile }, io.env);
  const isSound = reportFile(await readConfig(io.env), io);
  const limits = limitKeys.map((key) => describe(key, resolved));
  io.stdout.write(json ? `${JSON.stringify({ version: 1, limits })}\n` : table(resolved));
  return isSound ? 0 : 1;
}

/** Prints the value of one limit in force, in a form that `config set` takes; 1 when the file cannot be read. */
export async function configGet({ key, json, profile }: ConfigGetRequest, io: Io): Promise<number> {
  const place = parseConfigKey(key);
  const { problem } = await readConfig(io.env);
  const resolved = await loadLimits({ flags: {}, profile: place.profile ?? profile }, io.env);
  for (const warning of resolved.warnings) io.stderr.write(`toolout: ${warning}\n`);
  const text = formatLimit(place.limit, resolved.limits[place.limit]);
  io.stdout.write(`${json ? JSON.stringify({ version: 1, ...describe(place.limit, resolved) }) : text}\n`);
  return problem === undefined ? 0 : 1;
}

/** @throws Failure "usage" for a bad key or value, "io" when the file cannot be read or written; it is then as it was. */
export async function configSet({ key, value }: { readonly key: string; readonly value: string }, io: Io) {
  const place = parseConfigKey(key);
  const parsed = parseLimit(place.limit, value, key);
  const { path, values } = await readSoundConfig(io);
  writeConfig(path, withValue(values, place, typeof parsed === "boolean" ? parsed : plainNumber(value)));
  return 0;
}

/** @throws Failure "usage" for a bad key, "io" when the file cannot be read or written; it is then as it was. */
export async function configUnset({ key }: { readonly key: string }, io: Io): Promise<number> {
  const place = parseConfigKey(key);
  const { path, values } = await readSoundConfig(io);
  const rest = withoutValue(values, place);
  if (rest !== values) writeConfig(path, rest);
  return 0;
}

/** @throws Failure "io" for a user without a home directory. */
export async function configPath(_request: object, io: Io): Promise<number> {
  io.stdout.write(`${existingHome(await configFile(io.env))}\n`);
  return 0;
}

/**
 * Opens the file, made as `{}` where it is missing, in $VISUAL, $EDITOR or vi; 1 when something is wrong in it afterwards.
 * @throws Failure "io" when the file cannot be made or the editor fails.
 */
export async function configEdit(_request: object, io: Io): Promise<number> {
  const { path: found, text, problem } = await readConfig(io.env);
  const path = existingHome(found);
  if (text === undefined && problem === undefined) writeConfig(path, {});
  const { VISUAL, EDITOR } = io.env;
  const editor = VISUAL || EDITOR || "vi";
  const { runEditor } = await import("../config/editor.ts");
  const status = await runEditor(editor, path);
  if (status !== 0) throw new Failure("io", `the editor ${editor} ended with status ${status}`);
  const edited = await readConfig(io.env);
  return reportFile(edited, io) && fileFaults(edited.values).length === 0 ? 0 : 1;
}

/** Says on one line what is wrong with the file, if anything; false when it cannot be used at all. */
function reportFile({ problem, values }: Config, io: Io): boolean {
  const faults = fileFaults(values);
  if (problem !== undefined) io.stderr.write(`toolout: ${problem}\n`);
  else if (faults.length > 0) io.stderr.write(`toolout: config.json: ${faults.join("; ")}\n`);
  return problem === undefined;
}

function describe(key: LimitKey, { limits, origins }: ResolvedLimits) {
  return { key, value: limits[key] ?? null, origin: origins[key], unit: limitTable[key].unit };
}

function table({ limits, origins }: ResolvedLimits): string {
  const rows = limitKeys.map((key) => [key, formatLimit(key, limits[key]), origins[key]] as const);
  const keyWidth = Math.max(...rows.map(([key]) => key.length));
  const valueWidth = Math.max(...rows.map(([, value]) => value.length));
  return rows
    .map(([key, value, origin]) => `${key.padEnd(keyWidth)}  ${value.padEnd(valueWidth)}  ${origin}\n`)
    .join("");
}

async function readSoundConfig(io: Io): Promise<Config & { readonly path: string }> {
  const config = await readConfig(io.env);
  if (config.problem === undefined) return { ...config, path: existingHome(config.path) };
  throw new Failure("io", `${config.problem}; it is left as it is`, { hint: "mend it with: toolout config edit" });
}

/** As it was written, so that the file reads as its owner thinks: `50KiB`, but 2000 as a number. */
function plainNumber(value: string): string | number {
  return /^\d+$/.test(value) ? Number(value) : value;
}

function existingHome(path: string | undefined): string {
  if (path !== undefined) return path;
  throw new Failure("io", "there is no home directory for config.json", {
    hint: "set XDG_CONFIG_HOME to an absolute path",
  });
}
