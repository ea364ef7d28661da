/**
 * Programs of the system that toolout itself needs. They are looked for in their usual places first: on PATH a name may
 * stand for one that runs toolout, which would call itself without end.
 */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { hasCode } from "../errors.ts";

/** The path of a standard program, or its bare name for PATH to find. */
export function standardTool(name: string): string {
  return [`/usr/bin/${name}`, `/bin/${name}`].find((path) => existsSync(path)) ?? name;
}

/** Starts one; null or a process without a number when there is none to be had, which is no trouble of the command's. */
export function spawnQuietly(name: string, args: readonly string[], options: SpawnOptions): ChildProcess | null {
  try {
    return spawn(standardTool(name), args, options).on("error", () => {});
  } catch {
    return null; // EMFILE and its like come as an event, others are thrown
  }
}

/**
 * Runs one to its end: its exit status, null when it was killed or no process was to be had, "missing" without it. It has
 * a session of its own, so that no key of the terminal and no signal to our group stops or ends it halfway.
 */
export function runStandardTool(name: string, args: readonly string[]): Promise<number | null | "missing"> {
  return new Promise((resolve) => {
    const child = spawnQuietly(name, args, { stdio: "ignore", detached: true });
    if (child === null) resolve(null);
    child?.once("error", (error) => resolve(hasCode(error, "ENOENT") ? "missing" : null));
    child?.once("exit", resolve);
  });
}
