/**
 * Arguments and variables that are not UTF-8. Node decodes what it is started with and encodes what it starts, and puts
 * U+FFFD for bytes that are no character. /proc has them as they were; a shell, told by printf(1) escapes, hands them on.
 */
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import type { Environment } from "../io.ts";

export interface Words {
  readonly file: string;
  readonly args: readonly string[];
}

/** The command, or a shell that becomes it where words of it or of the environment would be altered. */
export function withRawWords({ file, args }: Words, env: Environment): Words {
  const asked = [file, ...args];
  const isAltered = asked.some((word) => word.includes("\ufffd"));
  const words = isAltered ? rawWords(asked, splitAtNul(readProc("cmdline"))) : asked;
  const variables = rawVariables(readProc("environ"), env);
  if (words.every((word) => typeof word === "string") && variables.length === 0) return { file, args };
  return {
    file: "/bin/sh",
    args: ["-c", shellScript(words, variables), "sh", ...words.map((word) => word.toString())],
  };
}

/** The words, with the bytes of those that are not UTF-8; `started` is what toolout was started with, which ends with them. */
export function rawWords(words: readonly string[], started: readonly Buffer[]): Array<string | Buffer> {
  return words.map((word, i) => {
    if (!word.includes("\ufffd")) return word;
    const candidates = [started[started.length - words.length + i], ...started]; // `-c STRING` may have more behind it
    const raw = candidates.find((one) => one?.toString() === word);
    return raw === undefined || isUtf8(raw) ? word : raw;
  });
}

/** Variables as `NAME=value` whose value is not UTF-8, and that the command is to get as toolout got them. */
export function rawVariables(environ: Buffer, env: Environment): Buffer[] {
  if (isUtf8(environ)) return [];
  return splitAtNul(environ).filter((entry) => {
    const [, name = "", value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(entry.toString()) ?? [];
    return name !== "" && !isUtf8(entry) && env[name] === value;
  });
}

/** Sets the variables and becomes the command; words that are strings are the script's positional parameters. */
export function shellScript(words: ReadonlyArray<string | Buffer>, variables: readonly Buffer[]): string {
  const exports = variables.map((entry) => {
    const equals = entry.indexOf("=");
    const name = entry.toString("latin1", 0, equals);
    return `${substitute(entry.subarray(equals + 1))}; ${name}=\${__word%.}; export ${name}`;
  });
  const assigned = words.map((word, i) =>
    typeof word === "string" ? "" : `${substitute(word)}; __word${i + 1}=\${__word%.}`,
  );
  const command = words.map((word, i) => (typeof word === "string" ? `"\${${i + 1}}"` : `"$__word${i + 1}"`));
  return [...exports, ...assigned.filter((line) => line !== ""), `exec ${command.join(" ")}`].join("\n");
}

/** The dot keeps newlines at the end, which a command substitution would drop (POSIX, 2.6.3). */
function substitute(bytes: Buffer): string {
  const escaped = Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  return `__word=$(printf '${escaped}.')`;
}

function splitAtNul(bytes: Buffer): Buffer[] {
  const words: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    const stop = end === -1 ? bytes.length : end;
    words.push(bytes.subarray(start, stop));
    start = stop + 1;
  }
  return words;
}

function readProc(name: "cmdline" | "environ"): Buffer {
  try {
    return readFileSync(`/proc/self/${name}`);
  } catch {
    return Buffer.alloc(0);
  }
}
