/**
 * Writing to a disk that may be full. The first time it is, what is due in the store is removed and the write is tried
 * once more; when that does not help, what fits is kept, to the byte.
 */
import { hasCode } from "../errors.ts";
import { writeSome } from "./file.ts";

export class Room {
  readonly #sweep: () => void;
  #isSwept = false;

  /** `sweep` removes what is due; whether it can is its own business. */
  constructor(sweep: () => void) {
    this.#sweep = sweep;
  }

  /** Does it, and once more if the disk was full. Throws what `act` throws. */
  retry<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (!this.#make(error)) throw error;
      return act();
    }
  }

  /** Writes what fits: all of it, or fewer bytes with the `refusal`. Throws what the system says of other trouble. */
  write(fd: number, bytes: Uint8Array): { written: number; refusal?: unknown } {
    let written = 0;
    while (written < bytes.length) {
      try {
        written += writeSome(fd, bytes.subarray(written));
      } catch (error) {
        if (this.#make(error)) continue;
        if (isFull(error) || hasCode(error, "EFBIG")) return { written, refusal: error };
        throw error;
      }
    }
    return { written };
  }

  /** True when it is worth trying again. */
  #make(error: unknown): boolean {
    if (this.#isSwept || !isFull(error)) return false;
    this.#isSwept = true;
    try {
      this.#sweep();
    } catch {
      // The disk stays as full as it was.
    }
    return true;
  }
}

function isFull(error: unknown): boolean {
  return hasCode(error, "ENOSPC", "EDQUOT");
}
