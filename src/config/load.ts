/** config.json as `run` and all others read it: whatever is wrong with it is told, and never stops a command. */

import { readFileSync, statSync } from "node:fs";
import { hasCode, reason } from "../errors.ts";
import type { Environment } from "../io.ts";
import { configFile } from "../paths.ts";
import { type LimitFlags, type ResolvedLimits, resolveLimits } from "./resolve.ts";
import { type ConfigValues, parseConfig } from "./values.ts";

export interface Config {
  /** Undefined for a user without a home directory. */
  readonly path: string | undefined;
  /** Undefined when the file is missing or cannot be read. */
  readonly text: string | undefined;
  /** Empty when the file is missing or has a problem. */
  readonly values: ConfigValues;
  /** Why the file that is there cannot be used, one line that names it. */
  readonly problem: string | undefined;
}

/** What the user's config.json says. Never fails; a missing file is no problem. */
export async function readConfig(env: Environment): Promise<Config> {
  const path = await configFile(env);
  const none = { path, text: undefined, values: {}, problem: undefined };
  if (path === undefined) return none;
  try {
    const text = readRegularFile(path);
    if (text === undefined) return none;
    const parsed = parseConfig(text);
    if ("values" in parsed) return { path, text, values: parsed.values, problem: undefined };
    return { path, text, values: {}, problem: `${path} ${parsed.problem}` };
  } catch (error) {
    return { ...none, problem: `${path} cannot be read: ${reason(error)}` };
  }
}

/**
 * The limits in force, with their origins and at most one warning about the file.
 * @param said Flags as given, and `--profile` (undefined when not said).
 * @throws Failure "usage" as `resolveLimits` does.
 */
export async function loadLimits(
  said: { readonly flags: LimitFlags; readonly profile?: string | undefined },
  env: Environment,
): Promise<ResolvedLimits> {
  const { values, problem } = await readConfig(env);
  if (problem === undefined) return resolveLimits({ ...said, env, file: values });
  const resolved = resolveLimits({ ...said, env, file: undefined });
  return { ...resolved, warnings: [`${problem}; limits are used as if it were empty`] };
}

const mostConfigBytes = 1024 * 1024;

/** The text of the file, undefined when there is none. A pipe or a device would be waited for, or read for ever. */
function readRegularFile(path: string): string | undefined {
  const found = statOf(path);
  if (!found) return undefined;
  if (found.isDirectory()) throw new Error("is a directory");
  if (!found.isFile()) throw new Error("is not a regular file");
  if (found.size > mostConfigBytes) throw new Error("is larger than 1 MiB");
  return readFileSync(path, "utf8");
}

/** Below a home like /dev/null there is no file either: Node leaves out ENOENT, but not ENOTDIR. */
function statOf(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) return undefined;
    throw error;
  }
}
