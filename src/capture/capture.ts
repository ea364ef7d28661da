/**
 * Takes one stream in, in chunks of any size, with constant memory: the first bytes, the last bytes, exact counts.
 * While the output is within its limits everything is held; from the moment it is over them, all of it, from its first
 * byte, goes to the spill as well.
 */

import { lookBehindBytes } from "../preview/cut.ts";
import type { Captured } from "../preview/plan.ts";
import { divide, type PreviewLimits } from "../preview/shares.ts";
import { countLineFeeds } from "../text/lines.ts";
import { Prefix } from "./prefix.ts";
import { Ring } from "./ring.ts";

export class Capture {
  readonly #limits: PreviewLimits;
  readonly #prefix: Prefix;
  readonly #spill: (bytes: Uint8Array) => void;
  readonly #decoder: InstanceType<typeof TextDecoder> | undefined;
  #ring: Ring | undefined;
  #bytes = 0;
  #lineFeeds = 0;
  #units = 0;
  #lastByte = 0x0a;

  /** `spill` is given the whole output, from its first byte, once it is over `limits`; it must copy what it keeps. */
  constructor(limits: PreviewLimits, spill: (bytes: Uint8Array) => void) {
    this.#limits = limits;
    this.#spill = spill;
    this.#prefix = new Prefix(limits.maxBytes);
    if (limits.maxUnits !== undefined) this.#decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isOver(): boolean {
    return this.#ring !== undefined;
  }

  /** The first bytes so far, at most `maxBytes` of them. */
  get prefix(): Buffer {
    return this.#prefix.bytes;
  }

  /** Takes the next bytes; what it keeps of them is copied. */
  write(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#bytes += chunk.length;
    this.#lineFeeds += countLineFeeds(chunk);
    this.#lastByte = chunk[chunk.length - 1] as number;
    if (this.#ring === undefined) this.#hold(chunk);
    else {
      this.#ring.push(chunk);
      this.#spill(chunk);
    }
  }

  /** Everything that a preview needs, once the stream has ended. */
  end(): Captured {
    if (this.#decoder !== undefined && !this.isOver) {
      this.#units += this.#decoder.decode().length; // a character that only began
      if (this.#isOverLimits()) this.#goOver([this.prefix]);
    }
    return {
      bytes: this.#bytes,
      lines: this.#lines,
      prefix: this.prefix,
      suffix: this.#ring?.toBuffer() ?? this.prefix,
    };
  }

  get #lines(): number {
    return this.#lineFeeds + Number(this.#lastByte !== 0x0a);
  }

  #hold(chunk: Uint8Array): void {
    const before = this.prefix;
    this.#prefix.append(chunk);
    if (this.#decoder !== undefined) this.#units += this.#decoder.decode(chunk, { stream: true }).length;
    if (this.#isOverLimits()) this.#goOver([before, chunk]);
  }

  #isOverLimits(): boolean {
    const { maxBytes, maxLines, maxUnits } = this.#limits;
    return this.#bytes > maxBytes || this.#lines > maxLines || (maxUnits !== undefined && this.#units > maxUnits);
  }

  #goOver(parts: readonly Uint8Array[]): void {
    this.#ring = new Ring(divide(this.#limits).bodyBytes + lookBehindBytes);
    for (const bytes of parts) {
      this.#ring.push(bytes);
      this.#spill(bytes);
    }
  }
}
