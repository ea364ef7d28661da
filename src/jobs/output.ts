/**
 * The output of a job on its way into the store: written where it will stay, a moment after it came, so that it can be read
 * while it grows. Trouble with the disk ends the copy, never the command.
 */
import { Failure, reason } from "../errors.ts";
import type { Masker } from "../redaction/masker.ts";
import type { OutputFacts, OutputWriter } from "../store/write.ts";
import { countLineFeeds } from "../text/lines.ts";

/** How long what came may be gathered before others can read it. */
const gatherMs = 20;
/** How often the counts are told of an output of which no more is kept. */
const tellMs = 1000;
/** A NUL byte among the first bytes says that it is no text, as for other outputs. */
const lookedAtBytes = 51_200;

export interface EndedJobOutput {
  readonly bytes: number;
  readonly lines: number;
  readonly complete: boolean;
  readonly redacted: number | null;
  readonly trouble: string | null;
}

export class JobOutput {
  readonly #writer: OutputWriter;
  readonly #masker: Masker | null;
  #bytes = 0;
  #lineFeeds = 0;
  #lastByte = 0x0a;
  #hasNul = false;
  #trouble: Failure | undefined;
  #timer: NodeJS.Timeout | undefined;
  #toldMs = Number.NEGATIVE_INFINITY;
  readonly #onShort: (counts: Pick<EndedJobOutput, "bytes" | "lines" | "complete">) => void;

  /** @param onShort Is told, again and again, how much there is of an output that is kept only in part. */
  constructor(
    writer: OutputWriter,
    masker: Masker | null,
    onShort: (counts: Pick<EndedJobOutput, "bytes" | "lines" | "complete">) => void,
  ) {
    this.#writer = writer;
    this.#masker = masker;
    this.#onShort = onShort;
  }

  /** Takes the next bytes of the command; copies what it keeps. */
  write(bytes: Uint8Array): void {
    this.#take(this.#masker === null ? bytes : this.#masker.write(bytes));
    this.#timer ??= setTimeout(() => this.#flush(), gatherMs);
  }

  /** Makes it a stored output, whatever its size. */
  end(facts: Pick<OutputFacts, "name" | "session" | "toolCallID" | "exitCode" | "signal" | "command">): EndedJobOutput {
    clearTimeout(this.#timer);
    if (this.#masker !== null) this.#take(this.#masker.end());
    this.#attempt(() => this.#writer.flush());
    const [bytes, lines] = [this.#bytes, this.#lines];
    const complete = this.#trouble === undefined && this.#writer.keptBytes === bytes;
    const mime = this.#hasNul ? "application/octet-stream" : "text/plain";
    const own = { mime, bytes, lines, complete, shown: { head: 0, tail: 0 }, redacted: this.#masker?.count };
    this.#attempt(() => this.#writer.commit({ ...facts, ...own }));
    const trouble = this.#trouble ?? this.#writer.shortfall;
    return {
      ...{ bytes, lines, complete: complete && this.#trouble === undefined },
      ...{ redacted: this.#masker?.count ?? null, trouble: trouble?.message ?? null },
    };
  }

  #take(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.#bytes < lookedAtBytes) this.#hasNul ||= bytes.subarray(0, lookedAtBytes - this.#bytes).includes(0);
    this.#bytes += bytes.length;
    this.#lineFeeds += countLineFeeds(bytes);
    this.#lastByte = bytes[bytes.length - 1] as number;
    this.#attempt(() => this.#writer.write(bytes));
  }

  get #lines(): number {
    return this.#lineFeeds + Number(this.#lastByte !== 0x0a);
  }

  #flush(): void {
    this.#timer = undefined;
    this.#attempt(() => this.#writer.flush());
    const isShort = this.#trouble !== undefined || this.#writer.keptBytes < this.#bytes;
    if (!isShort || performance.now() - this.#toldMs < tellMs) return;
    this.#toldMs = performance.now();
    this.#onShort({ bytes: this.#bytes, lines: this.#lines, complete: false });
  }

  #attempt(act: () => void): void {
    if (this.#trouble !== undefined) return;
    try {
      act();
    } catch (error) {
      this.#trouble = error instanceof Failure ? error : new Failure("io", `cannot store the output: ${reason(error)}`);
    }
  }
}
