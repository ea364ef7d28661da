/** Keeps the last bytes of a stream in constant memory. */
export class Ring {
  readonly #capacity: number;
  #buffer: Buffer;
  #next = 0;
  #length = 0;

  constructor(capacityBytes: number) {
    this.#capacity = capacityBytes;
    this.#buffer = Buffer.allocUnsafe(Math.min(capacityBytes, 65_536));
  }

  push(bytes: Uint8Array): void {
    if (bytes.length >= this.#capacity) {
      this.#grow(this.#capacity);
      this.#buffer.set(bytes.subarray(bytes.length - this.#capacity));
      this.#next = 0;
      this.#length = this.#capacity;
      return;
    }
    this.#grow(this.#length + bytes.length);
    const first = Math.min(bytes.length, this.#buffer.length - this.#next);
    this.#buffer.set(bytes.subarray(0, first), this.#next);
    this.#buffer.set(bytes.subarray(first), 0);
    this.#next = (this.#next + bytes.length) % this.#buffer.length;
    this.#length = Math.min(this.#capacity, this.#length + bytes.length);
  }

  /** The bytes kept, oldest first. */
  toBuffer(): Buffer {
    if (this.#length < this.#buffer.length) return this.#buffer.subarray(0, this.#length);
    return Buffer.concat([this.#buffer.subarray(this.#next), this.#buffer.subarray(0, this.#next)]);
  }

  /** A large capacity is paid for only by a stream that fills it; the buffer wraps only at its full size. */
  #grow(neededBytes: number): void {
    if (neededBytes <= this.#buffer.length || this.#buffer.length === this.#capacity) return;
    const grown = Buffer.allocUnsafe(Math.min(this.#capacity, Math.max(neededBytes, this.#buffer.length * 2)));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
    this.#next = this.#length;
  }
}
