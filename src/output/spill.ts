/**
 * Carries an output that is over its limits into the store. The store is loaded only when the first byte is spilled;
 * what comes in until then waits here, and `ready` tells the reader to pause meanwhile.
 * Trouble with the disk ends the spill, never the output: it is told once, and `finish` says what was kept, if anything.
 */
import { Failure, reason } from "../errors.ts";
import type { Resource } from "../store/metadata.ts";
import type { OutputFacts, OutputWriter } from "../store/write.ts";

export interface Stored {
  readonly resource: Resource;
  readonly keptBytes: number;
}

/** What keeps an output: the writer of a new stored output, or what stands for one that is stored already. */
export type Keeper = Pick<
  OutputWriter,
  "write" | "flush" | "commit" | "discard" | "keptBytes" | "isFull" | "shortfall"
>;

export class Spill {
  readonly #open: () => Promise<Keeper>;
  readonly #onTrouble: (failure: Failure) => void;
  #writer: Keeper | undefined;
  #opening: Promise<void> | undefined;
  #waiting: Uint8Array[] = [];
  #hasTrouble = false;

  /** What comes when `open`'s writer is full is ignored. */
  constructor(open: () => Promise<Keeper>, onTrouble: (failure: Failure) => void) {
    this.#open = open;
    this.#onTrouble = onTrouble;
  }

  /** A promise while the store is being opened. */
  get ready(): Promise<void> | undefined {
    return this.#writer === undefined && !this.#hasTrouble ? this.#opening : undefined;
  }

  /** Nothing more will be kept: the limit is reached, or there was trouble. */
  get isFull(): boolean {
    return this.#hasTrouble || this.#writer?.isFull === true;
  }

  write(bytes: Uint8Array): void {
    if (this.#hasTrouble) return;
    if (this.#writer !== undefined) this.#attempt(this.#writer, bytes);
    else {
      this.#waiting.push(Uint8Array.from(bytes));
      this.#opening ??= this.#begin();
    }
  }

  /** Makes what was kept a stored output; null when nothing was, or when the disk refused. */
  async finish(facts: (keptBytes: number) => OutputFacts): Promise<Stored | null> {
    await this.#opening;
    if (this.#writer === undefined) return null;
    try {
      this.#writer.flush();
      const { keptBytes, shortfall } = this.#writer;
      const resource = this.#writer.commit(facts(keptBytes));
      if (shortfall) this.#onTrouble(shortfall);
      return { resource, keptBytes };
    } catch (error) {
      this.#giveUp(error);
      return null;
    }
  }

  /** Removes what was kept. */
  async discard(): Promise<void> {
    await this.#opening;
    this.#writer?.discard();
    this.#writer = undefined;
    this.#hasTrouble = true;
  }

  async #begin(): Promise<void> {
    try {
      const writer = await this.#open();
      this.#writer = writer;
      for (const bytes of this.#waiting) this.#attempt(writer, bytes);
    } catch (error) {
      this.#giveUp(error);
    }
    this.#waiting = [];
  }

  #attempt(writer: Keeper, bytes: Uint8Array): void {
    if (this.#hasTrouble) return;
    try {
      writer.write(bytes);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #giveUp(error: unknown): void {
    this.#writer = undefined;
    this.#hasTrouble = true;
    this.#waiting = [];
    // Whatever it was, a store that does not work is no reason to lose the output.
    this.#onTrouble(error instanceof Failure ? error : new Failure("io", `cannot store the output: ${reason(error)}`));
  }
}
