/**
 * Where toolout keeps things; the door to env-paths. env-paths believes a relative or empty XDG variable, reads
 * process.env rather than what it is given, throws at import when the user has no home, and costs start-up time: it is
 * asked only where neither an absolute XDG variable nor HOME says enough.
 */

import { isAbsolute, join, resolve } from "node:path";
import { Failure } from "./errors.ts";
import type { Environment } from "./io.ts";

/**
 * The absolute path of the data directory, which may not exist yet: TOOLOUT_DATA_DIR, else $XDG_DATA_HOME/toolout.
 * @throws Failure "io" for a user without a home directory.
 */
export async function dataDirectory(env: Environment): Promise<string> {
  const { TOOLOUT_DATA_DIR } = env;
  if (TOOLOUT_DATA_DIR) return resolve(TOOLOUT_DATA_DIR);
  const path = await baseDirectory(env, "data");
  if (path !== undefined) return path;
  throw new Failure("io", "there is no home directory to store outputs in", {
    hint: "set TOOLOUT_DATA_DIR or XDG_DATA_HOME to an absolute path",
  });
}

/** The absolute path of config.json, which may not exist; undefined for a user without a home directory. */
export async function configFile(env: Environment): Promise<string | undefined> {
  const path = await baseDirectory(env, "config");
  return path === undefined ? undefined : join(path, "config.json");
}

type Base = "data" | "config";

const xdg = {
  data: { variable: "XDG_DATA_HOME", underHome: ".local/share" },
  config: { variable: "XDG_CONFIG_HOME", underHome: ".config" },
} as const;

async function baseDirectory(env: Environment, base: Base): Promise<string | undefined> {
  const { variable, underHome } = xdg[base];
  const said = env[variable];
  if (said && isAbsolute(said)) return join(said, "toolout");
  const { HOME } = env;
  if (HOME !== undefined && !isAbsolute(HOME)) return undefined;
  const followsXdg = process.platform !== "darwin" && process.platform !== "win32";
  return HOME && followsXdg ? join(HOME, underHome, "toolout") : platformDirectory(base);
}

async function platformDirectory(base: Base): Promise<string | undefined> {
  try {
    const { default: envPaths } = await import("env-paths");
    const path = envPaths("toolout", { suffix: "" })[base];
    if (isAbsolute(path)) return path;
    const { homedir } = await import("node:os");
    return join(homedir(), xdg[base].underHome, "toolout");
  } catch {
    // os.homedir() throws for a user id that has no account, and env-paths calls it when it is loaded.
    return undefined;
  }
}
