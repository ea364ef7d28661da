/**
 * Finds out that the reader has gone while there is nothing to print: only a write that fails (EPIPE) tells it, and a
 * command such as `yes` would go on for ever. Once an output is over its limits and its head is printed, the next bytes
 * are known, the opening of the marker; they are written one at a time, at doubling distances.
 */
import type { Sink } from "../io.ts";

const firstDelayMs = 20;

export class Probe {
  readonly #sink: Sink;
  readonly #bytes: Buffer;
  #written = 0;
  #timer: NodeJS.Timeout;

  constructor(sink: Sink, bytes: Buffer) {
    this.#sink = sink;
    this.#bytes = bytes;
    this.#timer = this.#schedule();
  }

  /** Ends the probing; the number of bytes that were written. */
  stop(): number {
    clearTimeout(this.#timer);
    return this.#written;
  }

  #schedule(): NodeJS.Timeout {
    const delayMs = Math.min(firstDelayMs * 2 ** this.#written, 2 ** 31 - 1); // setTimeout's largest delay
    return setTimeout(() => this.#probe(), delayMs).unref();
  }

  #probe(): void {
    if (this.#sink.isClosed || this.#written === this.#bytes.length) return;
    if (this.#sink.pendingBytes === 0) {
      this.#sink.write(this.#bytes.subarray(this.#written, this.#written + 1));
      this.#written += 1;
    }
    this.#timer = this.#schedule();
  }
}
