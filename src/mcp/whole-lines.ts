const LF = 0x0a;

/**
 * Holds pieces back until a line has ended: the SDK joins and searches all that it holds at each piece it is given, which for
 * a message of many pieces takes quadratic time.
 */
export class WholeLines {
  readonly #mostBytes: number;
  #waiting: Buffer[] = [];
  #bytes = 0;

  /** @param mostBytes Of a line that is longer, what there is is handed on. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** What can be handed on now that this piece, which is copied, has come; null while no line has ended. */
  take(piece: Uint8Array): Buffer | null {
    const bytes = Buffer.from(piece);
    const isLong = this.#bytes + bytes.length > this.#mostBytes;
    const end = isLong ? bytes.length : bytes.lastIndexOf(LF) + 1;
    const ready = end === 0 ? null : Buffer.concat([...this.#waiting, bytes.subarray(0, end)]);
    if (ready !== null) this.#waiting = [];
    const rest = bytes.subarray(end);
    this.#bytes = (ready === null ? this.#bytes : 0) + rest.length;
    if (rest.length > 0) this.#waiting.push(rest);
    return ready;
  }

  /** What is left: a line that has not ended. */
  end(): Buffer {
    return Buffer.concat(this.#waiting);
  }
}
