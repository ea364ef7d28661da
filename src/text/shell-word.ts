import { visible } from "./visible.ts";

/** A word as a shell takes it; `...` for one that a terminal would obey or that would fill a note. */
export function shellWord(word: string, mostBytes = 300): string {
  const quoted = shellQuote(word);
  return visible(word) === word && Buffer.byteLength(quoted) <= mostBytes ? quoted : "...";
}

/** The same for any word but one with a NUL: between single quotes every character stands for itself (POSIX XCU 2.2.2). */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
