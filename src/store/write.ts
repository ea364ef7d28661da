/**
 * Writes one output while it streams. The mark comes first, then the payload, in place; the record is written into the
 * mark, and its rename to ID.json is the commit. A writer that dies before leaves a payload without a record, which is
 * no stored output and goes with a later gc; gc takes a dead writer's mark away first, so only one of the two can win.
 * There is no fsync: a machine that loses power loses the output's process as well, and size and checksum tell a payload
 * that did not reach the disk.
 */
import { renameSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { Failure, reason } from "../errors.ts";
import { makeClosedDirectory } from "../private-directory.ts";
import { formatChecksum } from "./checksum.ts";
import { managedDirectory, payloadName, recordName } from "./directory.ts";
import { createID } from "./id.ts";
import { formatRecord, type OutputRecord, type Resource, resourceOf, type Shown } from "./metadata.ts";
import { OwnFile } from "./own-file.ts";
import { uriOf } from "./reference.ts";
import { Room } from "./room.ts";
import { hashSession } from "./session.ts";
import { markName } from "./writer-mark.ts";

const firstBatchBytes = 64 * 1024;
const mostBatchBytes = 1024 * 1024;
const heartbeatMs = 10 * 60_000;
/** A record without a command line is shorter. */
const recordBytes = 4096;

/** What is known of an output once it has ended. */
export interface OutputFacts {
  readonly name: string;
  readonly mime: string;
  readonly session: string | undefined;
  readonly toolCallID: string | undefined;
  /** Lines of the whole output. */
  readonly lines: number;
  /** Bytes of the whole output. */
  readonly bytes: number;
  /** What was written is the whole output. */
  readonly complete: boolean;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  /** What the preview showed. */
  readonly shown?: Shown;
  /** Secrets masked, where they were looked for. */
  readonly redacted?: number | undefined;
  /** Only with --record-command: command lines hold secrets. */
  readonly command?: readonly string[] | undefined;
}

/**
 * Begins a stored output of at most `limitBytes` bytes: makes the directories and the files.
 * @param sweep Removes what is due in the store, when the disk is full.
 * @throws Failure "io", with nothing left behind but directories
 */
export function beginOutput(dataDirectory: string, limitBytes: number, sweep = () => {}): OutputWriter {
  const managed = managedDirectory(dataDirectory);
  const room = new Room(sweep);
  const id = createID(Date.now());
  try {
    const files = room.retry(() => makeFiles(managed, id));
    return new OutputWriter({ managed, id, limitBytes, room, ...files });
  } catch (error) {
    throw storeTrouble(managed, error);
  }
}

interface OutputFiles {
  readonly mark: OwnFile;
  readonly payload: OwnFile;
}

/** The mark already has the room that the record will need. */
function makeFiles(managed: string, id: string): OutputFiles {
  makeClosedDirectory(managed);
  const mark = new OwnFile(join(managed, markName(id)));
  try {
    mark.reserve(recordBytes);
    return { mark, payload: new OwnFile(join(managed, payloadName(id))) };
  } catch (error) {
    mark.discard();
    throw error;
  }
}

export class OutputWriter {
  readonly id: string;
  readonly #managed: string;
  readonly #room: Room;
  readonly #mark: OwnFile;
  readonly #payload: OwnFile;
  readonly #heartbeat: NodeJS.Timeout;
  #limitBytes: number;
  #batch = Buffer.allocUnsafe(firstBatchBytes);
  #batchedBytes = 0;
  #writtenBytes = 0;
  #checksum = 0;
  #isOpen = true;
  #shortfall: Failure | undefined;

  constructor(
    options: {
      readonly managed: string;
      readonly id: string;
      readonly limitBytes: number;
      readonly room: Room;
    } & OutputFiles,
  ) {
    this.id = options.id;
    this.#managed = options.managed;
    this.#limitBytes = options.limitBytes;
    this.#room = options.room;
    this.#mark = options.mark;
    this.#payload = options.payload;
    this.#heartbeat = setInterval(() => options.mark.touch(), heartbeatMs).unref();
  }

  /** Bytes taken so far, never more than the limit; fewer than before once the disk was full. */
  get keptBytes(): number {
    return this.#writtenBytes + this.#batchedBytes;
  }

  /** Nothing more will be kept: the limit is reached, or the disk is full. */
  get isFull(): boolean {
    return this.keptBytes >= this.#limitBytes;
  }

  /** Why fewer bytes are kept than the limit allows: the disk is full, and was after a sweep. */
  get shortfall(): Failure | undefined {
    return this.#shortfall;
  }

  /**
   * Takes the bytes, as far as limit and disk allow, and copies what it keeps of them. Does nothing once it has failed.
   * @throws Failure "io" once, with its files removed
   */
  write(bytes: Uint8Array): void {
    const kept = bytes.subarray(0, Math.min(bytes.length, this.#limitBytes - this.keptBytes));
    if (this.#isOpen && kept.length > 0) this.#orDiscard(() => this.#take(kept));
  }

  /**
   * Writes what is gathered; until something is written again, `keptBytes` is what the commit will keep.
   * @throws Failure "io", with its files removed
   */
  flush(): void {
    if (this.#isOpen) this.#orDiscard(() => this.#flush());
  }

  /**
   * Makes the output a stored one; nothing can be written afterwards.
   * @throws Failure "io", with its files removed: also when the disk had no room for a single byte
   */
  commit(facts: OutputFacts): Resource {
    if (!this.#isOpen) throw new Failure("io", `cannot store the output in ${this.#managed}: writing it failed before`);
    const record = this.#orDiscard(() => {
      this.#flush();
      if (this.#shortfall && this.#writtenBytes === 0) throw this.#shortfall.cause;
      this.#payload.close(this.#writtenBytes);
      const made = this.#describe(facts);
      const text = Buffer.from(formatRecord(made));
      this.#room.retry(() => this.#mark.replace(text));
      this.#mark.close(text.length);
      renameSync(this.#mark.path, join(this.#managed, recordName(this.id)));
      return made;
    });
    this.#end();
    return resourceOf(record);
  }

  /** Gives the output up and removes its files; does nothing after a commit. Never throws. */
  discard(): void {
    if (!this.#isOpen) return;
    this.#end();
    this.#payload.discard();
    this.#mark.discard();
  }

  /** Gathers small writes; while an output is short its batch is small too, as many commands run side by side. */
  #take(bytes: Uint8Array): void {
    if (this.#batchedBytes + bytes.length > this.#batch.length) this.#growOrFlush(bytes.length);
    if (this.#shortfall) return;
    if (bytes.length > this.#batch.length) this.#append(bytes);
    else {
      this.#batch.set(bytes, this.#batchedBytes);
      this.#batchedBytes += bytes.length;
    }
  }

  #growOrFlush(bytes: number): void {
    const needed = Math.max(2 * this.#batch.length, this.#batchedBytes + bytes);
    if (needed > mostBatchBytes) this.#flush();
    else {
      const larger = Buffer.allocUnsafe(needed);
      larger.set(this.#batch.subarray(0, this.#batchedBytes));
      this.#batch = larger;
    }
  }

  #flush(): void {
    const gathered = this.#batch.subarray(0, this.#batchedBytes);
    this.#batchedBytes = 0;
    this.#append(gathered);
  }

  #append(bytes: Uint8Array): void {
    const { written, refusal } = this.#room.write(this.#payload.fd, bytes);
    this.#checksum = crc32(bytes.subarray(0, written), this.#checksum);
    this.#writtenBytes += written;
    if (refusal === undefined) return;
    this.#limitBytes = this.#writtenBytes;
    const text = `cannot store all of the output in ${this.#managed}: ${reason(refusal)}`;
    this.#shortfall = new Failure("io", text, { cause: refusal });
  }

  #describe(facts: OutputFacts): OutputRecord {
    return {
      version: 1,
      id: this.id,
      uri: uriOf(this.id),
      sessionID: hashSession(facts.session, this.id),
      toolCallID: facts.toolCallID ?? null,
      mime: facts.mime,
      name: facts.name,
      size: this.#writtenBytes,
      created: Date.now(),
      lines: facts.lines,
      bytes: facts.bytes,
      complete: facts.complete,
      crc32: formatChecksum(this.#checksum),
      exitCode: facts.exitCode ?? null,
      signal: facts.signal ?? null,
      ...(facts.shown && { shown: facts.shown }),
      ...(facts.redacted !== undefined && { redacted: facts.redacted }),
      ...(facts.command && { command: facts.command }),
    };
  }

  #orDiscard<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      this.discard();
      throw storeTrouble(this.#managed, error);
    }
  }

  #end(): void {
    this.#isOpen = false;
    clearInterval(this.#heartbeat);
  }
}

function storeTrouble(managed: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("io", `cannot store the output in ${managed}: ${reason(error)}`, { cause: error });
}
