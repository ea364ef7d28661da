/**
 * How much of an output may be printed while it is still coming in, before anybody knows whether it will be cut.
 * Printable is what stands in the output's head under every possible continuation: whole lines that fit, and of an
 * unfinished line the first half of what fits, since a cut inside a line happens only beyond it (see cut.ts).
 */
import { characterBytes, characterUnits } from "../text/utf8.ts";
import { headEnd } from "./cut.ts";
import type { Shares } from "./shares.ts";

const LF = 0x0a;
/** A cut may lie this many bytes before the place where it falls: inside a character, or between CR and LF. */
const backOffBytes = 4;

export class LiveHead {
  readonly #shares: Shares;
  readonly #halfBytes: number;
  #scanned = 0;
  #lines = 0;
  #lineEnd = 0;
  #measured = 0;
  #units = 0;
  #end: number | undefined;

  constructor(shares: Shares) {
    this.#shares = shares;
    this.#halfBytes = Math.floor(Math.min(shares.headBytes, shares.headUnits) / 2) - backOffBytes;
    if (shares.headLines === 0 || shares.headBytes === 0) this.#end = 0;
  }

  /** How many of the first bytes may be printed, given those that came in so far (each time the former and more). */
  printable(prefix: Uint8Array): number {
    if (this.#end !== undefined) return this.#end;
    const limit = this.#fitSoFar(prefix);
    for (let at = prefix.indexOf(LF, this.#scanned); at !== -1 && at < limit; at = prefix.indexOf(LF, at + 1)) {
      this.#lineEnd = at + 1;
      this.#lines += 1;
      if (this.#lines === this.#shares.headLines) {
        this.#end = this.#lineEnd;
        return this.#end;
      }
    }
    this.#scanned = Math.min(prefix.length, limit);
    if (this.#isFull(prefix, limit)) {
      this.#end = headEnd(prefix, this.#shares);
      return this.#end;
    }
    return Math.max(this.#lineEnd, Math.min(limit, this.#halfBytes));
  }

  /** The bytes of the prefix that surely fit by bytes and by units. */
  #fitSoFar(prefix: Uint8Array): number {
    const bytes = Math.min(prefix.length, this.#shares.headBytes);
    if (this.#shares.headUnits === Number.POSITIVE_INFINITY) return bytes;
    while (this.#measured < bytes) {
      const isAscii = (prefix[this.#measured] as number) < 0x80;
      if (!isAscii && this.#measured + backOffBytes > prefix.length) break;
      const length = characterBytes(prefix, this.#measured);
      const units = characterUnits(prefix, this.#measured, length);
      if (this.#units + units > this.#shares.headUnits || this.#measured + length > bytes) break;
      this.#units += units;
      this.#measured += length;
    }
    return this.#measured;
  }

  /** The head has its full size, and enough of what follows is known to place the cut. */
  #isFull(prefix: Uint8Array, limit: number): boolean {
    return prefix.length >= limit + 2 * backOffBytes;
  }
}
