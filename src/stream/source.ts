/**
 * Reads a descriptor into one reused buffer and hands on each piece as it comes.
 * A pipe goes through net.Socket's `onread`, which needs no allocation a chunk and leaves timers and signals alive; a
 * file or a device, which cannot be polled, is read in the thread pool.
 */
import { closeSync, constants, fstatSync, openSync, read, readSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { hasCode } from "../errors.ts";

const bufferBytes = 65_536;
/** A read in the thread pool costs a round trip, so it takes more at once. */
const fileBufferBytes = 524_288;
/** No pipe holds more unless root raised fs.pipe-max-size (pipe(7)): what was written before now is within it. */
const largestPipeBytes = 1_048_576;

export interface Source {
  /** Resolves at the end of the input, or when `close` was called; with the error when a read failed. */
  readonly ended: Promise<Error | null>;
  /** When the last piece came, by performance.now(). */
  readonly lastActivityMs: number;
  readonly isPaused: boolean;
  /** Reads, without waiting, what is in the pipe by now, then closes. */
  finish(): void;
  /** Closes without reading on: the writer gets SIGPIPE at its next write. */
  close(): void;
}

/** Called with each piece, which is only valid during the call; a promise given back pauses reading until it resolves. */
export type Receiver = (bytes: Buffer) => Promise<void> | undefined;

/** Reads a pipe or socket whose descriptor is non-blocking, or may be made so; owns the descriptor. */
export function readPipe(fd: number, receive: Receiver): Source {
  return new PipeSource(fd, receive);
}

/** Reads a stream of Node's: a socket pair to a child, where no FIFO could be made. */
export function readStream(stream: Readable, receive: Receiver): Source {
  return new StreamSource(stream, receive);
}

/** Reads whatever `fd` is. A pipe is opened anew first, so that O_NONBLOCK is not set on a pipe that others share. */
export function readDescriptor(fd: number, receive: Receiver): Source {
  const stats = fstatSync(fd);
  if (stats.isFIFO()) return readPipe(reopened(fd), receive);
  if (stats.isSocket()) return readPipe(fd, receive);
  return new FileSource(fd, receive);
}

abstract class Reading implements Source {
  readonly #receive: Receiver;
  readonly ended: Promise<Error | null>;
  #settle!: (error: Error | null) => void;
  lastActivityMs = performance.now();
  isPaused = false;
  isOpen = true;

  constructor(receive: Receiver) {
    this.#receive = receive;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  abstract finish(): void;

  close(): void {
    this.end();
  }

  protected abstract release(): void;
  protected abstract resume(): void;

  /** Hands a piece on; false when reading must wait until `resume` is called. */
  protected give(bytes: Buffer): boolean {
    if (!this.isOpen) return false;
    this.lastActivityMs = performance.now();
    const busy = this.#receive(bytes);
    if (busy === undefined) return this.isOpen;
    this.isPaused = true;
    const goOn = () => {
      this.isPaused = false;
      this.lastActivityMs = performance.now();
      if (this.isOpen) this.resume();
    };
    busy.then(goOn, (error: Error) => this.end(error));
    return false;
  }

  protected end(error: Error | null = null): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.release();
    this.#settle(error);
  }
}

class PipeSource extends Reading {
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

class StreamSource extends Reading {
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

class FileSource extends Reading {
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

/** On Linux, opening /proc/self/fd/N makes a new open file description of the same pipe (proc(5)), with flags of its own. */
function reopened(fd: number): number {
  try {
    const own = openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY | constants.O_NONBLOCK);
    closeSync(fd);
    return own;
  } catch {
    return fd;
  }
}
