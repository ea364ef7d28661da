/** From options as they were given to what a command is asked for. */
import type { BackgroundRequest } from "../commands/background.ts";
import type { RunRequest } from "../commands/run.ts";
import type { YieldRequest } from "../commands/yield.ts";
import { loadLimits } from "../config/load.ts";
import type { LimitFlags } from "../config/resolve.ts";
import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import { type Limits, limitKeys, limitTable } from "../limits.ts";
import { notice } from "../notice.ts";
import { askerOf } from "../store/asker.ts";
import { parseDuration } from "../text/quantity.ts";
import { quote } from "../text/quote.ts";

export type Options = Record<string, string | boolean | undefined>;

/** The limits in force for a command that has limit flags, or (null) only the profile's; what is wrong in the file is told. */
export async function limitsFor(command: string | null, options: Options, io: Io): Promise<Limits> {
  const flags: { -readonly [key in keyof LimitFlags]: LimitFlags[key] } = {};
  for (const key of limitKeys) {
    const { flag, commands } = limitTable[key];
    if (flag === null || command === null || !commands.includes(command)) continue;
    const said = options[camelCase(flag)];
    if (said !== undefined) flags[key] = String(said);
  }
  const { limits, warnings } = await loadLimits({ flags, profile: text(options, "profile") }, io.env);
  for (const warning of warnings) notice(io.stderr, warning);
  return limits;
}

/** @throws Failure "usage" */
export async function runRequest(operands: readonly string[], options: Options, io: Io): Promise<RunRequest> {
  const shell = text(options, "shell");
  const command = shell === undefined ? operands : ["sh", "-c", shell, ...operands];
  if (command.length === 0)
    throw new Failure("usage", "no command to run", { hint: "toolout run -- COMMAND [ARG...]" });
  const [json, asText] = [options["json"] === true, options["text"] === true];
  if (json && asText) throw new Failure("usage", "--json and --text exclude each other");
  return {
    command,
    tee: teeOf(options),
    directory: text(options, "directory"),
    merge: options["merge"] === true,
    timeoutMs: duration(options, "timeout"),
    killAfterMs: duration(options, "killAfter") ?? 3_000,
    waitForEnd: options["wait"] === true,
    format: json ? "json" : asText ? "text" : "plain",
    ...(await storeRequest(options, io)),
    recordCommand: options["recordCommand"] === true,
  };
}

/** How `run` leaves its command to a supervisor: at once, or when it has not ended by then. */
export type Leaving =
  | { readonly kind: "at once"; readonly request: BackgroundRequest }
  | { readonly kind: "in time"; readonly request: YieldRequest };

/**
 * Null where `run` is to stay with the command.
 * @throws Failure "usage"
 */
export function leavingOf(request: RunRequest, { overflow }: Limits, options: Options): Leaving | null {
  const takesInput = options["input"] === true;
  const yieldMs = duration(options, "yield");
  const name = options["background"] === true ? "--background" : yieldMs === undefined ? null : "--yield";
  if (name === null) {
    if (takesInput) throw new Failure("usage", "--input is for --background and --yield");
    return null;
  }
  if (name === "--background" && yieldMs !== undefined) {
    throw new Failure("usage", "--background and --yield exclude each other");
  }
  const other = ["tee", ...(yieldMs === undefined ? ["text"] : [])].find((one) => options[one] === true);
  if (other !== undefined) throw new Failure("usage", `${name} and --${other} exclude each other`);
  if (overflow === "reject") {
    throw new Failure("usage", `${name} stores an output as it comes, and overflow reject holds it back`);
  }
  const job = { ...request, takesInput };
  return yieldMs === undefined ? { kind: "at once", request: job } : { kind: "in time", request: { ...job, yieldMs } };
}

/** @throws Failure "usage" where nothing is shown as it comes */
export function teeOf(options: Options): boolean {
  if (options["tee"] !== true) return false;
  const other = ["json", "text"].find((name) => options[name] === true);
  if (other !== undefined) throw new Failure("usage", `--tee and --${other} exclude each other`);
  return true;
}

/** @throws Failure "usage" for a tee of what is held back */
export function refuseHeldBackTee({ overflow }: Limits, options: Options): void {
  if (options["tee"] === true && overflow === "reject") {
    throw new Failure("usage", "--tee shows all of an output, and overflow reject holds it back until it has ended");
  }
}

/** @throws Failure "usage" */
export async function storeRequest(options: Options, io: Io) {
  const { session } = askerOf({ session: await sessionOf(options) }, io.env);
  return { session, call: text(options, "call"), name: text(options, "name") };
}

/** @throws Failure "usage" */
export async function askRequest(options: Options) {
  return {
    json: options["json"] === true,
    session: await sessionOf(options),
    sessionFile: text(options, "sessionFile"),
    anySession: options["anySession"] === true,
  };
}

export async function sessionOf(options: Options): Promise<string | undefined> {
  const [session, file] = [text(options, "session"), text(options, "sessionFile")];
  if (file === undefined) return session;
  if (session !== undefined) throw new Failure("usage", "--session and --session-file exclude each other");
  const { readSession } = await import("../store/session-file.ts");
  return readSession(file);
}

export function filterRequest(options: Options) {
  return { since: text(options, "since"), named: text(options, "name") };
}

export function pageRequest(options: Options) {
  const [offset, limit, line] = [text(options, "offset"), text(options, "limit"), text(options, "line")];
  return {
    offset,
    limit,
    line,
    lines: text(options, "lines"),
    tail: text(options, "tail"),
    omitted: options["omitted"] === true,
  };
}

export function searchRequest(options: Options) {
  return {
    ignoreCase: options["ignoreCase"] === true,
    fixed: options["fixedStrings"] === true,
    word: options["wordRegexp"] === true,
    inverted: options["invertMatch"] === true,
    count: options["count"] === true,
    context: text(options, "context"),
    before: text(options, "beforeContext"),
    after: text(options, "afterContext"),
    maxCount: text(options, "maxCount"),
    offset: text(options, "offset"),
  };
}

/** @throws Failure "usage" */
export function duration(options: Options, name: string): number | undefined {
  const said = text(options, name);
  if (said === undefined) return undefined;
  const ms = parseDuration(said);
  if (ms !== undefined && ms > 0) return ms;
  const flag = `--${name.replace(/[A-Z]/g, "-$&").toLowerCase()}`;
  throw new Failure("usage", `${flag} must be a number with a unit, above 0, such as 90s or 1h30m, not ${quote(said)}`);
}

export function text(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

function camelCase(flag: string): string {
  return flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
