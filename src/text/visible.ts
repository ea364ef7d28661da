/**
 * Text from outside (names, command lines) made safe to show: a control character could drive the terminal, and a bidi
 * mark could make a line read as something else (Trojan Source, CVE-2021-42574).
 */

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text on one line with control characters, bidi marks and the like as `\u{1b}`; more than `mostCharacters` are cut. */
export function visible(text: string, mostCharacters = Number.POSITIVE_INFINITY): string {
  const shown = text.replace(hidden, codePoint);
  if (shown.length <= mostCharacters) return shown;
  const characters = Array.from(shown);
  return characters.length <= mostCharacters ? shown : `${characters.slice(0, mostCharacters - 1).join("")}…`;
}

/** A character by its number: `\u{1b}`. */
export function codePoint(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** A JSON document on one line, its end included; what `visible` would show otherwise is escaped, so it parses to the same. */
export function formatDocument(value: unknown): string {
  const json = JSON.stringify(value).replace(hidden, (character) =>
    Array.from({ length: character.length }, (_, i) => escapeUnit(character.charCodeAt(i))).join(""),
  );
  return `${json}\n`;
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
