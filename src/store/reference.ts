import { Failure } from "../errors.ts";
import { quote } from "../text/quote.ts";

const scheme = "tool-output://";
/** An id as a regular expression: 12 hex digits of time and counter, 14 random characters. */
export const idPattern = "[0-9a-f]{12}[0-9A-Za-z]{14}";

const wholeID = new RegExp(`^${idPattern}$`);
const idPrefix = /^(?:[0-9a-f]{8,12}|[0-9a-f]{12}[0-9A-Za-z]{1,13})$/;

export type Reference = { kind: "id"; id: string } | { kind: "prefix"; prefix: string } | { kind: "last" };

export function isID(text: string): boolean {
  return wholeID.test(text);
}

export function uriOf(id: string): string {
  return scheme + id;
}

/** True when the text can only mean a stored output: what begins as a URI of one, a whole id, or "last". */
export function isReference(text: string): boolean {
  return /^tool-output:/i.test(text) || isID(text) || text === "last";
}

/** True for 8 to 25 characters that an id can begin with; such a text may also be the name of a file. */
export function looksLikePrefix(text: string): boolean {
  return idPrefix.test(text);
}

/**
 * What a text refers to, taken as a whole: nothing of it ever reaches a path unchecked.
 * @throws Failure "invalid-uri"
 */
export function parseReference(text: string): Reference {
  const bare = text.startsWith(scheme) ? text.slice(scheme.length) : text;
  if (isID(bare)) return { kind: "id", id: bare };
  if (text === "last") return { kind: "last" };
  if (looksLikePrefix(text)) return { kind: "prefix", prefix: text };
  throw new Failure("invalid-uri", `not a stored output: ${quote(text)}`, {
    hint: `expected ${scheme}ID, an ID (26 characters) or 8 or more of its first characters, or last`,
  });
}
