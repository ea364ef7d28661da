/**
 * A pipe is read directly while bytes are there: what is small or quick has then ended before node:net, which is not small,
 * is loaded. One that keeps us waiting goes through net.Socket's `onread`: no allocation a chunk, no polling.
 */
import { closeSync, readSync } from "node:fs";
import type { Socket } from "node:net";
import { hasCode } from "../errors.ts";
import { Reading, type Receiver } from "./reading.ts";

const bufferBytes = 65_536;
/** No pipe holds more unless root raised fs.pipe-max-size (pipe(7)): what was written before now is within it. */
const largestPipeBytes = 1_048_576;
/** Bytes read before timers and signals get their turn. */
const turnBytes = 1_048_576;
/** How often an empty pipe is looked at again before a socket waits for it, and when, in ms. */
const looks = 3;
const lookMs = 1;

export class PipeSource extends Reading {
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  #looksLeft: number;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | NodeJS.Immediate | undefined;

  /** `isNonBlocking`: reading it by ourselves would not wait. */
  constructor(fd: number, receive: Receiver, isNonBlocking: boolean) {
    super(receive);
    this.#fd = fd;
    this.#looksLeft = isNonBlocking ? looks : 0;
    this.resume();
  }

  finish(): void {
    for (let left = largestPipeBytes; left > 0 && this.isOpen; ) {
      const length = this.#readNow();
      if (typeof length !== "number" || length === 0) break;
      left -= length;
      this.give(this.#buffer.subarray(0, length));
    }
    this.end();
  }

  protected override resume(): void {
    if (this.#socket !== undefined) this.#socket.resume();
    else if (this.#looksLeft === 0) this.#openSocket();
    else this.#timer = setImmediate(() => this.#look());
  }

  protected override release(): void {
    clearTimeout(this.#timer as NodeJS.Timeout);
    clearImmediate(this.#timer as NodeJS.Immediate);
    if (this.#socket === undefined) closeSync(this.#fd);
    else this.#socket.destroy();
  }

  /** Reads while bytes are there. */
  #look(): void {
    for (let left = turnBytes; left > 0; ) {
      const length = this.#readNow();
      if (typeof length !== "number") {
        this.#wait(length);
        return;
      }
      if (length === 0) this.end();
      left -= length;
      if (!this.isOpen || !this.give(this.#buffer.subarray(0, length))) return;
    }
    this.resume();
  }

  #wait(error: unknown): void {
    if (!hasCode(error, "EAGAIN", "EINTR")) {
      this.end(hasCode(error, "ECONNRESET") ? null : (error as Error));
      return;
    }
    this.#looksLeft -= 1;
    if (this.#looksLeft === 0) this.#openSocket();
    else this.#timer = setTimeout(() => this.#look(), lookMs);
  }

  #openSocket(): void {
    const net = process.getBuiltinModule("node:net");
    const onread = { buffer: this.#buffer, callback: (length: number) => this.give(this.#buffer.subarray(0, length)) };
    const options = { fd: this.#fd, readable: true, writable: false, onread };
    this.#socket = new net.Socket(options as ConstructorParameters<typeof Socket>[0]);
    this.#socket.on("end", () => this.end());
    this.#socket.on("close", () => this.end());
    this.#socket.on("error", (error) => this.end(hasCode(error, "ECONNRESET") ? null : error));
    this.#socket.resume();
  }

  /** Bytes read without waiting, 0 at the end; or the error, which is EAGAIN when there are none. */
  #readNow(): unknown {
    try {
      return readSync(this.#fd, this.#buffer, 0, bufferBytes, null);
    } catch (error) {
      return error;
    }
  }
}
