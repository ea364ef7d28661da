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

/** What all sources share: handing pieces on, pausing while the receiver is busy, ending once. */
export abstract class Reading implements Source {
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
