/**
 * What starter and supervisor say to each other, over a socket that only these two hold: one line from the starter, the
 * order, and lines from the supervisor. Neither needs the other to go on.
 */
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { FailureKind } from "../errors.ts";

/** What the starter asks for; the command itself is in the supervisor's own arguments, where its bytes stay as they are. */
export interface JobOrder {
  readonly dataDirectory: string;
  readonly session: string | undefined;
  readonly toolCallID: string | undefined;
  readonly name: string | undefined;
  readonly recordCommand: boolean;
  readonly directory: string | undefined;
  readonly takesInput: boolean;
  readonly timeoutMs: number | undefined;
  readonly killAfterMs: number;
  readonly waitForEnd: boolean;
  /** Bytes of the output that are stored. */
  readonly keepBytes: number;
  readonly redact: boolean;
  readonly retentionMs: number;
  readonly quotaBytes: number;
}

export type JobReply =
  | { readonly kind: "failed"; readonly failure: { kind: FailureKind; message: string; hint?: string | undefined } }
  | { readonly kind: "started"; readonly id: string }
  | { readonly kind: "ended" };

/** The supervisor's descriptor of it. */
export const channelFd = 3;

export class Channel<Said, Heard> {
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;

  constructor(socket: Socket) {
    this.#socket = socket.on("error", () => {}); // the other side has gone
    this.#lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  }

  say(what: Said): void {
    this.#socket.write(`${JSON.stringify(what)}\n`);
  }

  /** Undefined when the other side has gone. */
  async hear(): Promise<Heard | undefined> {
    const { value, done } = await this.#lines.next();
    return done ? undefined : (JSON.parse(value) as Heard);
  }

  close(): void {
    this.#socket.end();
    this.#socket.unref();
  }
}

/** Throws what the system says when nobody opened the channel. */
export function openChannel(): Channel<JobReply, JobOrder> {
  return new Channel(new Socket({ fd: channelFd, readable: true, writable: true }));
}
