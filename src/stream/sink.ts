/**
 * Writes to a descriptor without ever blocking the event loop or touching the descriptor's flags.
 * `process.stdout` would set O_NONBLOCK on a pipe that others share, and blocks on a slow one, so that no signal could be
 * passed on meanwhile; fs.write works in the thread pool, in order, one write at a time.
 */
import { fstatSync, write } from "node:fs";
import { hasCode } from "../errors.ts";
import type { Sink } from "../io.ts";
import { isTerminal } from "./terminal.ts";

/** How long to wait when somebody else made the descriptor non-blocking and its reader is slow (EAGAIN). */
const retryMs = 10;

export class FdSink implements Sink {
  readonly fd: number;
  readonly #queue: Buffer[] = [];
  #waiting: Array<{ bytes: number; resolve: () => void }> = [];
  #goneListeners: Array<() => void> = [];
  #isWriting = false;
  pendingBytes = 0;
  isClosed = false;
  fault: Error | null = null;

  constructor(fd: number) {
    this.fd = fd;
  }

  get isTerminal(): boolean {
    return isTerminal(this.fd);
  }

  get isPipe(): boolean {
    try {
      const stats = fstatSync(this.fd);
      return stats.isFIFO() || stats.isSocket();
    } catch {
      return false;
    }
  }

  write(data: Uint8Array | string): void {
    if (this.isClosed || this.fault !== null || data.length === 0) return;
    const bytes =
      typeof data === "string" ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    this.#queue.push(bytes);
    this.pendingBytes += bytes.length;
    if (!this.#isWriting) this.#writeNext();
  }

  async drained(bytes = 0): Promise<void> {
    if (this.pendingBytes <= bytes) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ bytes, resolve });
    });
  }

  onGone(listener: () => void): void {
    if (this.isClosed || this.fault !== null) listener();
    else this.#goneListeners.push(listener);
  }

  #writeNext(): void {
    const bytes = this.#queue[0];
    this.#isWriting = bytes !== undefined;
    if (bytes === undefined) return;
    write(this.fd, bytes, 0, bytes.length, null, (error, written) => this.#wrote(bytes, error, written));
  }

  #wrote(bytes: Buffer, error: Error | null, written: number): void {
    if (hasCode(error, "EAGAIN")) {
      setTimeout(() => this.#writeNext(), retryMs);
      return;
    }
    if (error === null) {
      this.pendingBytes -= written;
      if (written === bytes.length) this.#queue.shift();
      else this.#queue[0] = bytes.subarray(written);
    } else if (!hasCode(error, "EINTR")) this.#giveUp(error);
    this.#tellWaiting();
    this.#writeNext();
  }

  #giveUp(error: Error): void {
    this.#queue.length = 0;
    this.pendingBytes = 0;
    if (hasCode(error, "EPIPE", "ECONNRESET")) this.isClosed = true;
    else this.fault = error;
    for (const listener of this.#goneListeners) listener();
  }

  #tellWaiting(): void {
    const ready = this.#waiting.filter(({ bytes }) => this.pendingBytes <= bytes);
    if (ready.length === 0) return;
    this.#waiting = this.#waiting.filter(({ bytes }) => this.pendingBytes > bytes);
    for (const { resolve } of ready) resolve();
  }
}
