/**
 * What a command may touch of the world outside: it is made once in main, and by hand in tests.
 */

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Io {
  readonly env: Environment;
  /** Descriptor that `pipe` reads and that `run` hands to its command. */
  readonly stdin: number;
  /** The descriptors above 2 that toolout was started with, for its command; who asks owns them. */
  readonly inherited: () => readonly number[];
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Where bytes go. Writing never throws and never blocks the event loop; the outcome is asked for afterwards. */
export interface Sink {
  /** The descriptor behind the sink, null for one in memory. */
  readonly fd: number | null;
  readonly isTerminal: boolean;
  /** A pipe or a socket: something whose reader can go away. */
  readonly isPipe: boolean;
  /** Bytes taken by `write` that the other side has not taken yet. */
  readonly pendingBytes: number;
  /** The reader has gone (EPIPE); what is written from then on is dropped. */
  readonly isClosed: boolean;
  /** The first error other than EPIPE (ENOSPC, EIO, …); what is written from then on is dropped. */
  readonly fault: Error | null;
  /** Takes the bytes over: the caller must not change them afterwards. Text is written as UTF-8. */
  write(data: Uint8Array | string): void;
  /** Resolves when `pendingBytes` is at most `bytes` (0 when not given). */
  drained(bytes?: number): Promise<void>;
  /** Calls back once when nothing that is written will arrive any more (closed or fault); at once if it is so already. */
  onGone(listener: () => void): void;
}
