import type { Readable } from "node:stream";
import { Reading, type Receiver } from "./reading.ts";

/** A stream of Node's own. */
export class StreamSource extends Reading {
  readonly #stream: Readable;

  constructor(stream: Readable, receive: Receiver) {
    super(receive);
    this.#stream = stream;
    stream.on("data", (bytes: Buffer) => {
      if (!this.give(bytes)) stream.pause();
    });
    stream.on("close", () => this.end());
    stream.on("error", (error) => this.end(error));
  }

  finish(): void {
    for (let bytes = this.#stream.read(); bytes !== null; bytes = this.#stream.read()) this.give(bytes);
    this.end();
  }

  protected override resume(): void {
    this.#stream.resume();
  }

  protected override release(): void {
    this.#stream.destroy();
  }
}
