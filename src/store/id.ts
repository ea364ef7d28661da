/**
 * Names of stored outputs. An id is 48 bits of time and counter in hex, then 14 random base-62 characters (83 bits): the
 * first half sorts the outputs of a process, the second makes ids unique and unguessable. The 48 bits wrap every 795
 * days, so no age and no order between processes is ever read out of an id.
 */
import { randomBytes } from "node:crypto";
import { Failure } from "../errors.ts";
import { quote } from "../quote.ts";

const scheme = "tool-output://";
const wholeID = /^[0-9a-f]{12}[0-9A-Za-z]{14}$/;
const idPrefix = /^(?:[0-9a-f]{8,12}|[0-9a-f]{12}[0-9A-Za-z]{1,13})$/;
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ticksPerMs = 4096n;

export type Reference = { kind: "id"; id: string } | { kind: "prefix"; prefix: string } | { kind: "last" };

/** A new id, greater than the one before it in this process, also when the clock stands still or goes back. */
export function createID(nowMs: number): string {
  const tick = BigInt(Math.trunc(nowMs)) * ticksPerMs;
  lastTick = tick > lastTick ? tick : lastTick + 1n;
  return BigInt.asUintN(48, lastTick).toString(16).padStart(12, "0") + randomBase62(14);
}

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

let lastTick = 0n;

/** Bytes from 248 on are thrown away: 256 is no multiple of 62, and the first eight characters would come more often. */
function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(2 * length)) if (byte < 248 && text.length < length) text += base62[byte % 62];
  }
  return text;
}
