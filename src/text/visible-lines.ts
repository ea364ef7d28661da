/**
 * An output made safe to look at on a terminal. Of what `visible` shows in names only that is shown here which drives a
 * terminal or makes a line read as another (Unicode TR 36, Trojan Source): joiners belong to the text of many languages.
 */
import { isUtf8 } from "node:buffer";
import { characterBytes } from "./utf8.ts";
import { codePoint } from "./visible.ts";

/** Controls, C1 among them, but for tabs and line ends; separators of lines; marks of direction; tags, which are unseen. */
const hidden = /(?!\t|\n|\r\n)[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** The text with what a terminal would obey as `\u{1b}`. */
export function visibleLines(text: string): string {
  return text.replace(hidden, codePoint);
}

/** The same of bytes; those that are no UTF-8, which an 8-bit terminal may take for C1 controls, become `\x9b`. */
export function visibleBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return visibleLines(bytes.toString("utf8"));
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const character = bytes.subarray(at, at + characterBytes(bytes, at));
    parts.push(isUtf8(character) ? character.toString("utf8") : escapeBytes(character));
    at += character.length;
  }
  return visibleLines(parts.join(""));
}

function escapeBytes(bytes: Buffer): string {
  return Array.from(bytes, (byte) => `\\x${byte.toString(16)}`).join("");
}
