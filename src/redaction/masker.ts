/**
 * Masks secrets in a stream of bytes. What came in is held back only as far as it may still turn out to be a secret: from
 * the first beginning of one (a trigger) that is not decided yet, or of a word at the end that may become a trigger. A
 * trigger is decided when its line is whole or `reachBytes` are there, since no opener looks further; and what goes on with
 * a secret is dropped as it comes, however long. So the result does not depend on where the stream was cut, memory is
 * constant, and every byte is looked at a bounded number of times.
 */
import { nextBeginning, shapesAt, unfinishedBytes } from "./beginnings.ts";
import { contextBytes, reachBytes, type Shape, tokenShapes } from "./shapes.ts";

/** The secret that the stream is inside of. */
interface OpenSecret {
  readonly kind: string;
  readonly end: RegExp;
  readonly isBlock: boolean;
  /** Bytes that it may go on for. */
  leftBytes: number;
  /** A block gets a mask in each of its lines, so that it keeps as many. */
  isLineMasked: boolean;
}

/** More than any private key has; what follows one that was cut off is not masked for ever. */
const mostBlockBytes = 65_536;

export function mask(kind: string): string {
  return `[redacted: ${kind}]`;
}

export class Masker {
  /** Secrets masked so far. */
  count = 0;
  /** What is not given out yet, behind `#at` bytes that were. */
  #bytes = Buffer.alloc(0);
  #text = "";
  #at = 0;
  #given: Buffer[] = [];
  #open: OpenSecret | null = null;

  /** Takes the next bytes; gives back what is decided, which is the caller's. */
  write(bytes: Uint8Array): Buffer {
    return this.#take(bytes, false);
  }

  /** The rest, at the end of the stream. */
  end(): Buffer {
    return this.#take(Buffer.alloc(0), true);
  }

  #take(bytes: Uint8Array, isLast: boolean): Buffer {
    const from = Math.max(0, this.#at - contextBytes);
    this.#bytes = Buffer.concat([this.#bytes.subarray(from), bytes]);
    this.#at -= from;
    this.#text = this.#bytes.toString("latin1");
    const decided = isLast ? { line: this.#text.length, any: this.#text.length } : decidedIn(this.#text);
    do {
      if (this.#open !== null) this.#drop(this.#open);
      if (this.#open === null) this.#open = this.#next(decided, isLast);
    } while (this.#open !== null && this.#at < this.#text.length);
    const given = Buffer.concat(this.#given);
    this.#given = [];
    return given;
  }

  /** Gives out what comes before the next secret, and its mask; null when there is none, or none is decided. */
  #next(decided: Decided, isLast: boolean): OpenSecret | null {
    let at = nextBeginning(this.#bytes, this.#at);
    for (; at !== -1; at = nextBeginning(this.#bytes, at + 1)) {
      const candidates = shapesAt(this.#bytes, at);
      const isBlock = candidates.some((shape) => shape.isBlock);
      if (at >= (isBlock ? decided.any : decided.line)) break;
      const secret = secretAt(this.#text, at, candidates);
      if (secret !== null) return this.#begin(secret);
    }
    this.#give(at !== -1 ? at : this.#text.length - (isLast ? 0 : unfinishedBytes(this.#bytes)));
    return null;
  }

  #begin({ kind, shape, start, end }: Secret): OpenSecret {
    this.count += 1;
    this.#give(start);
    this.#given.push(Buffer.from(mask(kind)));
    this.#at = end;
    const isBlock = shape.isBlock === true;
    const leftBytes = isBlock ? mostBlockBytes : Number.POSITIVE_INFINITY;
    return { kind, end: shape.end, isBlock, leftBytes, isLineMasked: true };
  }

  /** Goes on to the end of the secret, or of what there is of it. */
  #drop(secret: OpenSecret): void {
    secret.end.lastIndex = this.#at;
    const behind = secret.end.exec(this.#text)?.index ?? this.#text.length;
    const end = Math.min(behind, this.#at + secret.leftBytes);
    secret.leftBytes -= end - this.#at;
    if (secret.isBlock) this.#maskLines(end, secret);
    this.#at = end;
    if (end < this.#text.length || secret.leftBytes === 0) this.#open = null;
  }

  /** Line ends stay, and the blanks that lines begin with; what else there is in a line becomes one mask. */
  #maskLines(end: number, secret: OpenSecret): void {
    for (const [part] of this.#text.slice(this.#at, end).matchAll(/[\r\n]+|[ \t]+|[^ \t\r\n]+/g)) {
      const isLineEnd = /[\r\n]/.test(part);
      const isBlank = /^[ \t]/.test(part);
      if (isLineEnd || (isBlank && !secret.isLineMasked)) this.#given.push(Buffer.from(part));
      else if (!secret.isLineMasked) this.#given.push(Buffer.from(mask(secret.kind)));
      secret.isLineMasked = !isLineEnd && (secret.isLineMasked || !isBlank);
    }
  }

  #give(end: number): void {
    if (end <= this.#at) return;
    this.#given.push(this.#bytes.subarray(this.#at, end));
    this.#at = end;
  }
}

/** A text that is all there is. */
export function maskText(text: string): string {
  const masker = new Masker();
  return Buffer.concat([masker.write(Buffer.from(text)), masker.end()]).toString();
}

interface Secret {
  readonly kind: string;
  readonly shape: Shape;
  readonly start: number;
  /** Behind what the opener matched. */
  readonly end: number;
}

/** Up to where it can be told whether a secret begins: inside lines, and where it may cross their ends. */
interface Decided {
  readonly line: number;
  readonly any: number;
}

function decidedIn(text: string): Decided {
  const any = Math.max(0, text.length - reachBytes);
  return { any, line: Math.max(any, text.lastIndexOf("\n"), text.lastIndexOf("\r")) };
}

/** The secret whose opener begins at `index`, if one does. */
function secretAt(text: string, index: number, candidates: readonly Shape[]): Secret | null {
  for (const shape of candidates) {
    const match = matchAt(shape, text, index);
    if (match === null) continue;
    const start = index + (match[1] ?? "").length;
    const end = index + match[0].length;
    if (shape.accepts?.(text.slice(start, end), text.charAt(end), match) === false) continue;
    const kind = typeof shape.kind === "string" ? shape.kind : shape.kind(match);
    // A token that is assigned to a name is known better by its own shape.
    const own = tokenShapes.find((one) => matchAt(one, text, start) !== null);
    return { kind: own === undefined ? kind : (own.kind as string), shape, start, end };
  }
  return null;
}

function matchAt({ opener }: Shape, text: string, index: number): RegExpExecArray | null {
  opener.lastIndex = index;
  return opener.exec(text);
}
