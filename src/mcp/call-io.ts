/** The world of one call: what a command writes is kept for its answer, apart from all other calls and from the protocol. */
import type { Environment, Io, Sink } from "../io.ts";

export interface CallIo {
  readonly io: Io;
  readonly out: () => Buffer;
  readonly err: () => string;
}

/**
 * @param stdin Descriptor that a command gets as its stdin; never that of the protocol.
 * @param env What the command sees and is looked up in.
 */
export function callIo(stdin: number, env: Environment): CallIo {
  const [stdout, stderr] = [new KeptSink(), new KeptSink()];
  const io: Io = { env, stdin, inherited: () => [], stdout, stderr, now: Date.now };
  return { io, out: () => stdout.bytes(), err: () => stderr.bytes().toString("utf8") };
}

class KeptSink implements Sink {
  readonly fd = null;
  readonly isTerminal = false;
  readonly isPipe = false;
  readonly pendingBytes = 0;
  readonly isClosed = false;
  readonly fault = null;
  readonly #parts: Buffer[] = [];

  write(data: Uint8Array | string): void {
    this.#parts.push(Buffer.from(data as Uint8Array));
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  onGone(): void {} // the answer always has a reader
}
