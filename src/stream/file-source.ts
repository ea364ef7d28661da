import { fstatSync, read, readSync } from "node:fs";
import { Reading, type Receiver } from "./reading.ts";

/** A read in the thread pool costs a round trip, so it takes more at once. */
const deviceBufferBytes = 524_288;
/** A regular file is read at once: pieces that stay in the processor's cache, so many before timers and signals get their turn. */
const fileBufferBytes = 131_072;
const piecesPerTurn = 8;

/** A file never makes a reader wait for a writer; a device may, cannot be polled, and is read in the thread pool. */
export class FileSource extends Reading {
  readonly #fd: number;
  readonly #isRegular: boolean;
  readonly #buffer: Buffer;

  constructor(fd: number, receive: Receiver) {
    super(receive);
    this.#fd = fd;
    this.#isRegular = fstatSync(fd).isFile();
    this.#buffer = Buffer.allocUnsafe(this.#isRegular ? fileBufferBytes : deviceBufferBytes);
    this.resume();
  }

  finish(): void {
    this.end();
  }

  protected override resume(): void {
    if (this.#isRegular) setImmediate(() => this.#readPieces());
    else read(this.#fd, this.#buffer, 0, deviceBufferBytes, null, (error, length) => this.#take(error, length));
  }

  protected override release(): void {
    // The descriptor is the caller's.
  }

  #readPieces(): void {
    for (let i = 0; i < piecesPerTurn && this.isOpen; i += 1) {
      const { error, length } = this.#readNow();
      if (error !== null || length === 0) this.end(error);
      else if (!this.give(this.#buffer.subarray(0, length))) return;
    }
    if (this.isOpen) this.resume();
  }

  #take(error: Error | null, length: number): void {
    if (error !== null || length === 0) this.end(error);
    else if (this.give(this.#buffer.subarray(0, length))) this.resume();
  }

  #readNow(): { error: Error | null; length: number } {
    try {
      return { error: null, length: readSync(this.#fd, this.#buffer, 0, fileBufferBytes, null) };
    } catch (error) {
      return { error: error as Error, length: 0 };
    }
  }
}
