import { visible } from "./visible.ts";

/** A word as a shell takes it; `...` for one that a terminal would obey or that would fill a note. */
export function shellWord(word: string, mostBytes = 300): string {
  const quoted = /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  return visible(word) === word && Buffer.byteLength(quoted) <= mostBytes ? quoted : "...";
}
