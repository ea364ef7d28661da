/** A pipe goes through net.Socket's `onread`: no allocation a chunk, and timers and signals stay alive. */
import { readSync } from "node:fs";
import { Socket } from "node:net";
import { hasCode } from "../errors.ts";
import { Reading, type Receiver } from "./reading.ts";

const bufferBytes = 65_536;
/** No pipe holds more unless root raised fs.pipe-max-size (pipe(7)): what was written before now is within it. */
const largestPipeBytes = 1_048_576;

export class PipeSource extends Reading {
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  readonly #socket: Socket;

  constructor(fd: number, receive: Receiver) {
    super(receive);
    this.#fd = fd;
    const onread = { buffer: this.#buffer, callback: (length: number) => this.give(this.#buffer.subarray(0, length)) };
    this.#socket = new Socket({ fd, readable: true, writable: false, onread } as ConstructorParameters<
      typeof Socket
    >[0]);
    this.#socket.on("end", () => this.end());
    this.#socket.on("close", () => this.end());
    this.#socket.on("error", (error) => this.end(hasCode(error, "ECONNRESET") ? null : error));
    this.#socket.resume();
  }

  finish(): void {
    for (let left = largestPipeBytes; left > 0 && this.isOpen; ) {
      const length = this.#readNow();
      if (length === 0) break;
      left -= length;
      this.give(this.#buffer.subarray(0, length));
    }
    this.end();
  }

  protected override resume(): void {
    this.#socket.resume();
  }

  protected override release(): void {
    this.#socket.destroy();
  }

  /** Bytes read without waiting; 0 when there are none (EAGAIN), at the end, and on any trouble. */
  #readNow(): number {
    try {
      return readSync(this.#fd, this.#buffer, 0, bufferBytes, null);
    } catch {
      return 0;
    }
  }
}
