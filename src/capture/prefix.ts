/** The first bytes of a stream, up to a limit, in one growing buffer. */
export class Prefix {
  readonly #limit: number;
  #buffer = Buffer.alloc(0);
  #length = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  /** Takes as many of the bytes as still fit. */
  append(bytes: Uint8Array): void {
    const taken = bytes.subarray(0, this.#limit - this.#length);
    const needed = this.#length + taken.length;
    if (needed > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.min(this.#limit, Math.max(needed, this.#buffer.length * 2)));
      grown.set(this.bytes);
      this.#buffer = grown;
    }
    this.#buffer.set(taken, this.#length);
    this.#length = needed;
  }

  /** A view: what has been appended never changes. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
