/**
 * Programs of the system that toolout itself needs. They are looked for in their usual places first: on PATH a name may
 * stand for one that runs toolout, which would call itself without end.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { hasCode } from "../errors.ts";

/** The path of a standard program, or its bare name for PATH to find. */
export function standardTool(name: string): string {
  return [`/usr/bin/${name}`, `/bin/${name}`].find((path) => existsSync(path)) ?? name;
}

/** Runs one to its end: its exit status, null when it was killed or no process was to be had, "missing" without it. */
export function runStandardTool(name: string, args: readonly string[]): Promise<number | null | "missing"> {
  return new Promise((resolve) => {
    const child = spawn(standardTool(name), args, { stdio: "ignore" });
    child.once("error", (error) => resolve(hasCode(error, "ENOENT") ? "missing" : null));
    child.once("exit", resolve);
  });
}
