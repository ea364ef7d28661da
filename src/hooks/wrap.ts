/**
 * Puts toolout in front of a shell command of an agent. What the command would do to the agent's own shell must stay as it
 * is: where the agent keeps the directory from one call to the next, a leading `cd DIR &&` stays outside, and a command that
 * changes it further on is left alone.
 */

import { shellQuote } from "../text/shell-word.ts";

export interface Wrapping {
  /** The shell that the agent gives its commands to. */
  readonly shell: string;
  /** The agent's next command begins in the directory that this one ends in. */
  readonly keepsDirectory: boolean;
  /** For `--profile`; undefined when not said. */
  readonly profile?: string | undefined;
}

const word = String.raw`(?:[\w./~@%+=:,-]|\$\w+|\$\{\w+\}|'[^']*'|"[^"$\`\\]*")+`;
const leadingCd = new RegExp(String.raw`^(?:[ \t\n]*cd[ \t]+(?:--[ \t]+)?${word}[ \t]*(?:&&|;|\n)[ \t\n]*)+`);
const laterCd =
  /(?:^|[;&|{\n!]|\b(?:then|do|else|eval))[ \t]*(?:(?:builtin|command)[ \t]+)?(?:cd|pushd|popd)(?=[\s;&|)]|$)/;
const alreadyRun = /^\s*(?:\w+=\S*\s+)*(?:\S*\/)?toolout(?:\s|$)/;
const alreadyPiped = /\|&?\s*(?:\S*\/)?toolout\s+pipe(?:\s[^|;&\n]*)?$/;

/** The command behind `toolout run`; null for one that is left alone. */
export function wrapCommand(command: string, { shell, keepsDirectory, profile }: Wrapping): string | null {
  const outside = keepsDirectory ? (leadingCd.exec(command)?.[0] ?? "") : "";
  const inside = command.slice(outside.length);
  if (inside.trim() === "" || command.includes("\0")) return null;
  if (alreadyRun.test(inside) || alreadyPiped.test(inside.trimEnd())) return null;
  if (keepsDirectory && laterCd.test(inside)) return null;
  const options = profile === undefined ? "" : `--profile ${shellQuote(profile)} `;
  return `${outside}toolout run ${options}-- ${shellQuote(shell)} -c ${shellQuote(inside)}`;
}
