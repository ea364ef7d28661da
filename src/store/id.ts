/**
 * An id is 48 bits of time and counter in hex, then 14 random base-62 characters (83 bits): the first half sorts the
 * outputs of a process, the second makes ids unique and unguessable. The 48 bits wrap every 795 days, so no age and no
 * order between processes is ever read out of an id.
 */
import { randomBytes } from "node:crypto";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ticksPerMs = 4096n;

/** A new id, greater than the one before it in this process, also when the clock stands still or goes back. */
export function createID(nowMs: number): string {
  const tick = BigInt(Math.trunc(nowMs)) * ticksPerMs;
  lastTick = tick > lastTick ? tick : lastTick + 1n;
  return BigInt.asUintN(48, lastTick).toString(16).padStart(12, "0") + randomBase62(14);
}

let lastTick = 0n;

/** Characters of the digits and letters of ASCII. Bytes from 248 on are thrown away: 256 is no multiple of 62, and the first eight characters would come more often. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(2 * length)) if (byte < 248 && text.length < length) text += base62[byte % 62];
  }
  return text;
}
