import { closeSync, fstatSync } from "node:fs";
import { join } from "node:path";
import { Failure, hasCode, reason } from "../errors.ts";
import type { Asker } from "./asker.ts";
import { checksumOf } from "./checksum.ts";
import { managedDirectory, payloadName } from "./directory.ts";
import { openRegularFile } from "./file.ts";
import { damaged, findRecord, notFound, readRecord } from "./find.ts";
import { type OutputRecord, type Resource, resourceOf } from "./metadata.ts";
import { uriOf } from "./reference.ts";

/** A larger payload is checked by its size only: reading all of it for every page would make paging quadratic. */
const mostBytesToSum = 8 * 1024 * 1024;

/** A stored output that is open and was found sound; `close` it. */
export interface StoredOutput {
  readonly record: OutputRecord;
  readonly resource: Resource;
  /** Bytes of the payload. */
  readonly size: number;
  /** The payload, for positional reads. */
  readonly fd: number;
  close(): void;
}

/**
 * Opens what a URI, an id, a unique prefix of one (8 or more characters) or `last` (the session's newest) refers to.
 * Everything is decided on the descriptor, so nobody can swap the file between the check and the reading.
 * @param sumUpToBytes Of a larger payload only the size is compared.
 * @throws Failure "invalid-uri", "not-found", "expired", "access-denied", "damaged", "usage" (a prefix of several), "io"
 */
export function openStoredOutput(
  dataDirectory: string,
  reference: string,
  asker: Asker,
  sumUpToBytes = mostBytesToSum,
): StoredOutput {
  const record = findRecord(dataDirectory, reference, asker);
  const fd = openPayload(dataDirectory, record.id);
  try {
    checkPayload(fd, record, sumUpToBytes);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return { record, resource: resourceOf(record), size: record.size, fd, close: () => closeSync(fd) };
}

function openPayload(dataDirectory: string, id: string): number {
  let fd: number | undefined;
  try {
    fd = openRegularFile(join(managedDirectory(dataDirectory), payloadName(id)));
  } catch (error) {
    if (hasCode(error, "ENOENT")) throw lostPayload(dataDirectory, id);
    throw new Failure("io", `cannot read ${uriOf(id)}: ${reason(error)}`, { cause: error });
  }
  if (fd === undefined) throw damaged(id, "its payload is no regular file of this user's");
  return fd;
}

/** A removal takes the record first: when that has gone meanwhile, too, the output was removed, not damaged. */
function lostPayload(dataDirectory: string, id: string): Failure {
  try {
    readRecord(dataDirectory, id);
  } catch {
    return notFound(dataDirectory, id);
  }
  return damaged(id, "its payload is missing");
}

function checkPayload(fd: number, record: OutputRecord, sumUpToBytes: number): void {
  const { size } = fstatSync(fd);
  if (size !== record.size) throw damaged(record.id, `its payload has ${size} bytes, not ${record.size}`);
  if (size <= sumUpToBytes && checksum(fd, record) !== record.crc32) {
    throw damaged(record.id, "its payload does not match the checksum");
  }
}

function checksum(fd: number, { id, size }: OutputRecord): string {
  try {
    return checksumOf(fd, size);
  } catch (error) {
    throw new Failure("io", `cannot read ${uriOf(id)}: ${reason(error)}`, { cause: error });
  }
}
