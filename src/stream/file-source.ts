import { read } from "node:fs";
import { Reading, type Receiver } from "./reading.ts";

/** A read in the thread pool costs a round trip, so it takes more at once. */
const fileBufferBytes = 524_288;

/** A file or a device, which cannot be polled, is read in the thread pool. */
export class FileSource extends Reading {
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafe(fileBufferBytes);

  constructor(fd: number, receive: Receiver) {
    super(receive);
    this.#fd = fd;
    this.resume();
  }

  finish(): void {
    this.end();
  }

  protected override resume(): void {
    read(this.#fd, this.#buffer, 0, fileBufferBytes, null, (error, length) => {
      if (error !== null || length === 0) this.end(error);
      else if (this.give(this.#buffer.subarray(0, length))) this.resume();
    });
  }

  protected override release(): void {
    // The descriptor is the caller's.
  }
}
