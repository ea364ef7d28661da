/**
 * What Node would alter of arguments and variables: it decodes what it is started with and encodes what it starts, so that
 * bytes that are no UTF-8 become U+FFFD, and it cannot read variables whose names are whole numbers. /proc has all of them
 * as they were (proc(5)); a shell, told by printf(1) escapes, and env(1), which takes any name, hand them on.
 */
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import type { Environment } from "../io.ts";
import { standardTool } from "./standard-tool.ts";

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Environment;
}

/** The same launch, or that of a shell which becomes it, where Node would alter something. */
export function keepRaw({ file, args, env }: Launch): Launch {
  const environ = env === process.env ? splitAtNul(readProc("environ")) : [];
  const words = [file, ...args];
  const isAltered = words.some((word) => word.includes("\ufffd"));
  const raw = isAltered ? rawWords(words, splitAtNul(readProc("cmdline"))) : words;
  if (raw.every((word) => typeof word === "string") && environ.every(isUtf8)) {
    return { file, args, env: withNumberNames(env, environ) };
  }
  const line = [standardTool("env"), "-i", ...environ, ...raw];
  return { file: "/bin/sh", args: ["-c", shellScript(line), "sh", ...line.map(String)], env: {} };
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

/** The environment with the variables that process.env lists and cannot read. */
export function withNumberNames(env: Environment, environ: readonly Buffer[]): Environment {
  const missing = environ.filter((entry) => /^\d+=/.test(entry.toString("latin1"))).map(String);
  if (missing.length === 0) return env;
  const pairs = missing.map((entry): [string, string] => {
    const equals = entry.indexOf("=");
    return [entry.slice(0, equals), entry.slice(equals + 1)];
  });
  return { ...env, ...Object.fromEntries(pairs) };
}

/** Becomes the command line; words that are UTF-8 are the script's positional parameters of the same place. */
export function shellScript(line: ReadonlyArray<string | Buffer>): string {
  const isRaw = (word: string | Buffer): word is Buffer => typeof word !== "string" && !isUtf8(word);
  const assigned = line.flatMap((word, i) =>
    isRaw(word) ? [`w${i + 1}=$(${printf(word)}); w${i + 1}=\${w${i + 1}%.}`] : [],
  );
  const command = line.map((word, i) => (isRaw(word) ? `"$w${i + 1}"` : `"\${${i + 1}}"`));
  return [...assigned, `exec ${command.join(" ")}`].join("\n");
}

/** Prints the bytes and a dot, for a command substitution would drop newlines at the end (POSIX, 2.6.3). */
function printf(bytes: Buffer): string {
  const plain = /[A-Za-z0-9 _.,:=@/+-]/;
  const escaped = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return plain.test(character) ? character : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `printf '${escaped.join("").replace(/^-/, "\\055")}.'`;
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
