/** An input that is held in memory as a whole, because nothing can be done with a part of it. */
import { Failure, reason } from "../errors.ts";
import { formatSize } from "../text/quantity.ts";
import type { Source } from "./reading.ts";
import { readDescriptor } from "./source.ts";

export class WholeInput {
  readonly source: Source;
  readonly #pieces: Buffer[] = [];
  readonly #mostBytes: number;
  #length = 0;

  /** Begins to read the descriptor, up to `mostBytes`. */
  constructor(fd: number, mostBytes: number) {
    this.#mostBytes = mostBytes;
    this.source = readDescriptor(fd, (bytes) => {
      this.#length += bytes.length;
      if (this.#length > mostBytes) this.source.close();
      else this.#pieces.push(Buffer.from(bytes));
      return undefined;
    });
  }

  /** All of it. @throws Failure "io", "too-large" */
  async bytes(): Promise<Buffer> {
    const fault = await this.source.ended;
    if (fault !== null) throw new Failure("io", `cannot read stdin: ${reason(fault)}`, { cause: fault });
    if (this.#length > this.#mostBytes)
      throw new Failure("too-large", `stdin is more than ${formatSize(this.#mostBytes)}`);
    return Buffer.concat(this.#pieces);
  }
}
