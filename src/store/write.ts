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
import { managedDirectory, payloadName, recordName } from "./directory.ts";
import { writeFully } from "./file.ts";
import { createID } from "./id.ts";
import { formatRecord, type OutputRecord, type Resource, resourceOf } from "./metadata.ts";
import { OwnFile } from "./own-file.ts";
import { uriOf } from "./reference.ts";
import { hashSession } from "./session.ts";
import { markName } from "./writer-mark.ts";

const firstBatchBytes = 64 * 1024;
const mostBatchBytes = 1024 * 1024;
const heartbeatMs = 10 * 60_000;

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
  /** Secrets masked, where they were looked for. */
  readonly redacted?: number | undefined;
  /** Only with --record-command: command lines hold secrets. */
  readonly command?: readonly string[] | undefined;
}

/**
 * Begins a stored output of at most `limitBytes` bytes: makes the directories and the files.
 * @throws Failure "io", with nothing left behind but directories
 */
export function beginOutput(dataDirectory: string, limitBytes: number): OutputWriter {
  const managed = managedDirectory(dataDirectory);
  makeClosedDirectory(managed);
  const id = createID(Date.now());
  const files: OwnFile[] = [];
  try {
    for (const name of [markName(id), payloadName(id)]) files.push(new OwnFile(join(managed, name)));
  } catch (error) {
    for (const file of files) file.discard();
    throw storeTrouble(managed, error);
  }
  return new OutputWriter(managed, id, limitBytes, files as [OwnFile, OwnFile]);
}

export class OutputWriter {
  readonly id: string;
  readonly #managed: string;
  readonly #limitBytes: number;
  readonly #mark: OwnFile;
  readonly #payload: OwnFile;
  readonly #heartbeat: NodeJS.Timeout;
  #batch = Buffer.allocUnsafe(firstBatchBytes);
  #batchedBytes = 0;
  #keptBytes = 0;
  #checksum = 0;
  #isOpen = true;

  constructor(managed: string, id: string, limitBytes: number, [mark, payload]: [OwnFile, OwnFile]) {
    this.id = id;
    this.#managed = managed;
    this.#limitBytes = limitBytes;
    this.#mark = mark;
    this.#payload = payload;
    this.#heartbeat = setInterval(() => payload.touch(), heartbeatMs).unref();
  }

  /** Bytes taken so far, never more than the limit. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /**
   * Takes the bytes, as far as the limit allows, and copies what it keeps of them. Does nothing once it has failed.
   * @throws Failure "io" once, with its files removed
   */
  write(bytes: Uint8Array): void {
    const kept = bytes.subarray(0, Math.min(bytes.length, this.#limitBytes - this.#keptBytes));
    if (!this.#isOpen || kept.length === 0) return;
    this.#orDiscard(() => this.#take(kept));
    this.#keptBytes += kept.length;
  }

  /**
   * Makes the output a stored one; nothing can be written afterwards.
   * @throws Failure "io", with its files removed
   */
  commit(facts: OutputFacts): Resource {
    if (!this.#isOpen) throw new Failure("io", `cannot store the output in ${this.#managed}: writing it failed before`);
    const record = this.#orDiscard(() => {
      this.#flush();
      this.#payload.close(this.#keptBytes);
      const made = this.#describe(facts);
      const text = Buffer.from(formatRecord(made));
      writeFully(this.#mark.fd, text);
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
    if (this.#batchedBytes + bytes.length > this.#batch.length) this.#makeRoom(bytes.length);
    if (bytes.length > this.#batch.length) this.#append(bytes);
    else {
      this.#batch.set(bytes, this.#batchedBytes);
      this.#batchedBytes += bytes.length;
    }
  }

  #makeRoom(bytes: number): void {
    const needed = Math.max(2 * this.#batch.length, this.#batchedBytes + bytes);
    if (needed > mostBatchBytes) this.#flush();
    else {
      const larger = Buffer.allocUnsafe(needed);
      larger.set(this.#batch.subarray(0, this.#batchedBytes));
      this.#batch = larger;
    }
  }

  #flush(): void {
    this.#append(this.#batch.subarray(0, this.#batchedBytes));
    this.#batchedBytes = 0;
  }

  #append(bytes: Uint8Array): void {
    writeFully(this.#payload.fd, bytes);
    this.#checksum = crc32(bytes, this.#checksum);
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
      size: this.#keptBytes,
      created: Date.now(),
      lines: facts.lines,
      bytes: facts.bytes,
      complete: facts.complete,
      crc32: this.#checksum.toString(16).padStart(8, "0"),
      exitCode: facts.exitCode ?? null,
      signal: facts.signal ?? null,
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
  return new Failure("io", `cannot store the output in ${managed}: ${reason(error)}`, { cause: error });
}
