/** Something to show, one line of `bytes` bytes, that stands for the line at byte `offset`. */
export interface Row<Item> {
  readonly item: Item;
  readonly bytes: number;
  readonly offset: number;
}

/** Rows up to a number of bytes and lines; the first that does not fit closes them. */
export class Rows<Item> {
  readonly #maxBytes: number;
  readonly #maxLines: number;
  readonly #rows: Row<Item>[] = [];
  #bytes = 0;
  /** Where the first line that was left out begins; null while there is none. */
  cutAt: number | null = null;

  constructor(maxBytes: number, maxLines: number) {
    this.#maxBytes = maxBytes;
    this.#maxLines = maxLines;
  }

  get items(): Item[] {
    return this.#rows.map(({ item }) => item);
  }

  add(row: Row<Item>): void {
    if (this.cutAt !== null) return;
    this.#rows.push(row);
    this.#bytes += row.bytes;
    this.makeRoom(0, 0);
  }

  /** Takes rows back until so many bytes and lines more fit. */
  makeRoom(bytes: number, lines: number): void {
    while (this.#bytes + bytes > this.#maxBytes || this.#rows.length + lines > this.#maxLines) {
      const row = this.#rows.pop();
      if (row === undefined) return;
      this.#bytes -= row.bytes;
      this.cutAt = row.offset;
    }
  }
}
