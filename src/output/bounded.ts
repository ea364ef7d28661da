/**
 * One output on its way through toolout: captured, printed up to the head while it comes in, spilled once it is over its
 * limits, and ended with the marker and the tail.
 */
import { Capture } from "../capture/capture.ts";
import type { Failure } from "../errors.ts";
import type { Sink } from "../io.ts";
import type { Limits } from "../limits.ts";
import { headEnd } from "../preview/cut.ts";
import { LiveHead } from "../preview/live-head.ts";
import { type Copy, describeCopy, markerOpening, markerText } from "../preview/marker.ts";
import { type Captured, type PreviewPlan, planPreview, withoutEnd } from "../preview/plan.ts";
import { divide, type PreviewLimits, type Shares } from "../preview/shares.ts";
import type { Masker } from "../redaction/masker.ts";
import type { Shown } from "../store/metadata.ts";
import type { OutputFacts } from "../store/write.ts";
import { Probe } from "../stream/probe.ts";
import { type Keeper, Spill, type Stored } from "./spill.ts";

export interface BoundedOutputOptions {
  readonly limits: Limits;
  readonly maxUnits: number | undefined;
  /** Where the output goes while it comes in; null holds it back until its end. */
  readonly sink: Sink | null;
  /** All of it goes to the sink as it comes in, and it is stored however small it is. */
  readonly isTee?: boolean;
  readonly openStore: (limitBytes: number) => Promise<Keeper>;
  readonly onTrouble: (failure: Failure) => void;
  /** What goes through it is all that is counted, shown and stored; null leaves the output as it is. */
  readonly masker?: Masker | null;
  /** What is known of the whole, where what comes in may be only its first bytes. */
  readonly whole?: WholeOutput;
}

export interface WholeOutput {
  readonly bytes: number;
  readonly lines: number;
  /** False when bytes may be missing that nobody has counted. */
  readonly complete: boolean;
}

/** An output that has ended: what to show, what was kept, and how much there was. */
export interface EndedOutput {
  readonly captured: Captured;
  readonly stored: Stored | null;
  readonly copy: Copy;
  /** Every byte can be had: from the preview itself, or from the stored copy. */
  readonly isComplete: boolean;
}

/** The facts of a stored output that the output itself knows. */
type OwnFacts = "lines" | "bytes" | "complete" | "mime" | "redacted" | "shown";

/** Stored when over its limits; stored in any case, since less of it will be shown; or not at all. */
export type Fate = "bound" | "store" | "discard";

/** Bytes that may wait for a slow reader before the command is made to wait too. */
const highWaterBytes = 1_048_576;

export class BoundedOutput {
  readonly preview: PreviewLimits;
  readonly #options: BoundedOutputOptions;
  readonly #capture: Capture;
  readonly #spill: Spill;
  readonly #shares: Shares;
  readonly #head: LiveHead;
  #printed = 0;
  #isHeadPrinted = false;
  #probe: Probe | undefined;
  /** The capture cap was passed under `overflow: reject`. */
  isRejected = false;

  constructor(options: BoundedOutputOptions) {
    const { limits, maxUnits } = options;
    const { maxLines, maxBytes, headPercent, storeBytes } = limits;
    this.preview = { maxLines, maxBytes, maxUnits, headPercent };
    this.#options = options;
    const keepBytes = limits.overflow === "store" ? storeBytes : Math.min(limits.captureBytes, storeBytes);
    this.#spill = new Spill(() => options.openStore(keepBytes), options.onTrouble);
    this.#capture = new Capture(this.preview, (bytes) => this.#spill.write(bytes));
    this.#shares = divide(this.preview);
    this.#head = new LiveHead(this.#shares);
  }

  /** Nothing that comes in from now on would be printed or stored. */
  get isDone(): boolean {
    const { sink } = this.#options;
    const isUnread = sink !== null && (sink.isClosed || sink.fault !== null);
    return isUnread && this.#capture.isOver && this.#spill.isFull;
  }

  /** Secrets masked so far; undefined where none are looked for. */
  get redacted(): number | undefined {
    return this.#options.masker?.count;
  }

  /** Takes the next bytes; a promise means that the reader should pause until it resolves. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    const { masker } = this.#options;
    return this.#take(masker ? masker.write(bytes) : bytes);
  }

  #take(bytes: Uint8Array): Promise<void> | undefined {
    if (this.isRejected) return undefined;
    this.#capture.write(bytes);
    const { limits, sink } = this.#options;
    if (limits.overflow === "reject" && this.#capture.bytes > limits.captureBytes) this.isRejected = true;
    else if (sink !== null && this.#options.isTee) sink.write(Buffer.from(bytes));
    else if (sink !== null) this.#printHead(sink);
    return (
      this.#spill.ready ??
      (sink !== null && sink.pendingBytes > highWaterBytes ? sink.drained(highWaterBytes) : undefined)
    );
  }

  /** Nothing more will come: what came in, which may be more than the capture cap only now. May be called again. */
  seal(): Captured {
    const { masker } = this.#options;
    if (masker) this.#take(masker.end());
    const { whole } = this.#options;
    return whole === undefined ? this.#capture.end() : withoutEnd(this.#capture.end(), whole);
  }

  /**
   * Ends the output and its stored copy; nothing is printed yet.
   * @param shownWithin The limits of the preview that will be printed; null when none of the output will be.
   */
  async end(
    facts: Omit<OutputFacts, OwnFacts>,
    fate: Fate = "bound",
    shownWithin: PreviewLimits | null = this.preview,
  ): Promise<EndedOutput> {
    const captured = this.seal();
    const { isTee = false, whole } = this.#options;
    const isShort = whole?.complete === false;
    const isKept = fate === "store" || (fate === "bound" && (isShort || (isTee && captured.bytes > 0)));
    if (fate === "discard") await this.#spill.discard();
    if (isKept && !this.#capture.isOver) this.#spill.write(captured.prefix);
    const { bytes, lines } = captured;
    const stored = await this.#spill.finish((keptBytes) => {
      const own = { mime: mimeType(captured.prefix), lines, bytes, complete: keptBytes === bytes };
      return {
        ...facts,
        ...own,
        shown: isTee ? { head: bytes, tail: 0 } : shownOf(captured, shownWithin),
        redacted: this.redacted,
      };
    });
    const isAll = stored === null ? !this.#capture.isOver && !isKept : stored.keptBytes === bytes;
    const isComplete = isAll && !isShort;
    const isDropped = this.#options.limits.overflow === "drop" && !isComplete;
    return {
      captured,
      stored,
      copy: copyOf(stored, isComplete, isDropped),
      isComplete,
    };
  }

  /** Prints what is left to print of an output that has ended. */
  print({ captured, copy }: EndedOutput, sink: Sink): void {
    if (this.#options.isTee) return;
    const plan = planPreview(captured, this.preview);
    sink.write(plan.head.subarray(this.#printed));
    if (plan.omitted === null) return;
    sink.write(marker(plan, captured, copy).subarray(this.#probe?.stop() ?? 0));
    sink.write(plan.tail);
  }

  /** Of an output that was shown whole: where it is; null for others, whose marker says so. */
  placeOf({ captured, stored, copy }: EndedOutput): string | null {
    return this.#options.isTee && stored !== null ? describeCopy(copy, captured.bytes) : null;
  }

  #printHead(sink: Sink): void {
    if (this.#isHeadPrinted) return;
    const { prefix, isOver } = this.#capture;
    const end = isOver ? headEnd(prefix, this.#shares) : this.#head.printable(prefix);
    sink.write(Buffer.from(prefix.subarray(this.#printed, end)));
    this.#printed = end;
    this.#isHeadPrinted = isOver;
    if (isOver && sink.isPipe)
      this.#probe = new Probe(sink, Buffer.from(markerOpening(endsLine(prefix.subarray(0, end)))));
  }
}

/** The bytes of a preview: head, marker, tail; of an output within the limits, all of it. */
export function previewBytes(
  { captured, copy }: EndedOutput,
  limits: PreviewLimits,
): { bytes: Buffer; plan: PreviewPlan } {
  const plan = planPreview(captured, limits);
  const parts = plan.omitted === null ? [plan.head] : [plan.head, marker(plan, captured, copy), plan.tail];
  return { bytes: Buffer.concat(parts), plan };
}

function marker({ head, omitted }: PreviewPlan, captured: Captured, copy: Copy): Buffer {
  if (omitted === null) return Buffer.alloc(0);
  const facts = { copy, bytes: captured.bytes, omitted, headBytes: head.length, headEndsLine: endsLine(head) };
  return Buffer.from(markerText(facts));
}

function shownOf(captured: Captured, limits: PreviewLimits | null): Shown {
  if (limits === null) return { head: 0, tail: 0 };
  const { head, tail } = planPreview(captured, limits);
  return { head: head.length, tail: tail.length };
}

function copyOf(stored: Stored | null, isComplete: boolean, isDropped: boolean): Copy {
  if (stored === null) return { kind: "none" };
  const { keptBytes, resource } = stored;
  if (isComplete) return { kind: "whole", uri: resource.uri };
  return isDropped ? { kind: "dropped", keptBytes } : { kind: "part", uri: resource.uri, keptBytes };
}

function endsLine(bytes: Buffer): boolean {
  return bytes.length === 0 || bytes[bytes.length - 1] === 0x0a;
}

/** A NUL byte, as in file(1) and grep(1), says that this is no text. */
export function mimeType(prefix: Buffer): string {
  return prefix.includes(0) ? "application/octet-stream" : "text/plain";
}
