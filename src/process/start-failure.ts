/** What is said when a command cannot be started, and with which status (POSIX, 2.8.2: 126 and 127). */
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { Failure, hasCode, reason } from "../errors.ts";
import { quote } from "../text/quote.ts";
import type { Command } from "./child.ts";

/** Throws Failure "io" unless it is a directory. */
export function checkDirectory(directory: string): void {
  let found: string;
  try {
    if (statSync(directory).isDirectory()) return;
    found = "not a directory";
  } catch (error) {
    found = reason(error);
  }
  throw new Failure("io", `cannot change to directory ${quote(directory)}: ${found}`);
}

/** The Failure for an error of spawn: command-not-found, not-runnable, or io when there is no process to be had. */
export function failureToStart(command: Command, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { file, args, directory } = command;
  if (file.includes("/") && hasCode(error, "ENOENT") && existsSync(resolve(directory ?? "", file))) {
    return new Failure("command-not-found", `cannot run ${quote(file)}: its interpreter is not found`, {
      cause: error,
    });
  }
  if (file === "" || hasCode(error, "ENOENT") || (hasCode(error, "EACCES") && !isThere(command))) {
    const isLine = args.length === 0 && /\s/.test(file);
    const hint = isLine ? `a whole command line goes through a shell: toolout run -c ${quote(file)}` : undefined;
    return new Failure("command-not-found", `${quote(file)}: command not found`, { hint, cause: error });
  }
  const kind = hasCode(error, "EAGAIN", "ENOMEM", "EMFILE", "ENFILE") ? "io" : "not-runnable";
  return new Failure(kind, `cannot run ${quote(file)}: ${reason(error)}`, { cause: error });
}

/** execvp(3) gives EACCES as well when there is no such program, but a directory of PATH could not be searched. */
function isThere({ file, directory = "", env }: Command): boolean {
  if (file.includes("/")) return true;
  return (env["PATH"] ?? "").split(":").some((place) => existsSync(resolve(directory, place, file)));
}
