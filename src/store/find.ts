/** From what the caller wrote to an output's record, and to those outputs only that the asker may see. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Failure, hasCode, reason } from "../errors.ts";
import { formatCount } from "../text/quantity.ts";
import type { Asker } from "./asker.ts";
import { managedDirectory, readNames, recordName } from "./directory.ts";
import { readRegularFile } from "./file.ts";
import { type OutputRecord, parseRecord } from "./metadata.ts";
import { isID, parseReference, uriOf } from "./reference.ts";
import { findRemoved, tellRemoval } from "./removed.ts";
import { isGivenTo } from "./session.ts";

/** More than any command line (ARG_MAX is 2 MiB by default) in a record. */
const mostRecordBytes = 8 * 1024 * 1024;

/**
 * The record of the output that a URI, an id, a unique prefix or `last` refers to.
 * @throws Failure "invalid-uri", "not-found", "expired", "access-denied", "damaged", "usage" (a prefix of several), "io"
 */
export function findRecord(dataDirectory: string, reference: string, asker: Asker): OutputRecord {
  return recordOf(dataDirectory, resolveID(dataDirectory, reference, asker), asker);
}

/**
 * The id that the reference means; one that is written out need not exist.
 * @throws Failure as `findRecord`
 */
export function resolveID(dataDirectory: string, reference: string, asker: Asker): string {
  const meant = parseReference(reference);
  if (meant.kind === "id") return meant.id;
  if (meant.kind === "prefix") return completeID(dataDirectory, meant.prefix, asker);
  for (const { id } of recordsFor(dataDirectory, asker)) return id;
  throw new Failure("not-found", `no stored output${asker.anySession ? "" : " of this session"}`);
}

/** The records of all outputs that the asker may see, newest first, read one by one; broken ones are left out. */
export function* recordsFor(dataDirectory: string, asker: Asker): Generator<OutputRecord> {
  for (const id of newestFirst(dataDirectory)) {
    const record = readSoundRecord(dataDirectory, id);
    if (record !== undefined && isGivenTo(record, asker)) yield record;
  }
}

/** The record of `id`, undefined when the file is there but no record of this output. Throws what the system says. */
export function readRecord(dataDirectory: string, id: string): OutputRecord | undefined {
  const text = readRegularFile(join(managedDirectory(dataDirectory), recordName(id)), mostRecordBytes);
  return text === undefined ? undefined : parseRecord(text.toString("utf8"), id);
}

/** The failure for an output that is not there: gc removed it, or there never was one. */
export function notFound(dataDirectory: string, id: string): Failure {
  const removal = findRemoved(dataDirectory, id);
  return removal
    ? new Failure("expired", `${uriOf(removal.id)} has expired: ${tellRemoval(removal)}`)
    : new Failure("not-found", `no stored output ${uriOf(id)}`);
}

export function damaged(id: string, what: string): Failure {
  return new Failure("damaged", `${uriOf(id)} is damaged: ${what}`);
}

function recordOf(dataDirectory: string, id: string, asker: Asker): OutputRecord {
  let record: OutputRecord | undefined;
  try {
    record = readRecord(dataDirectory, id);
  } catch (error) {
    if (hasCode(error, "ENOENT")) throw notFound(dataDirectory, id);
    throw new Failure("io", `cannot read the metadata of ${uriOf(id)}: ${reason(error)}`, { cause: error });
  }
  if (record === undefined) throw damaged(id, "its metadata is no record of it");
  if (!isGivenTo(record, asker)) throw accessDenied(uriOf(id));
  return record;
}

function accessDenied(what: string): Failure {
  return new Failure("access-denied", `${what} belongs to another session`, {
    hint: "name the session with --session, --session-file or TOOLOUT_SESSION; --any-session is for the owner",
  });
}

/** The asker's only output whose id begins so; a broken record counts when nothing else does, to be told as damaged. */
function completeID(dataDirectory: string, prefix: string, asker: Asker): string {
  const candidates = newestFirst(dataDirectory, prefix);
  const records = candidates.map((id) => readSoundRecord(dataDirectory, id));
  const own = records.filter((record) => record !== undefined && isGivenTo(record, asker));
  if (own.length > 1) {
    const count = formatCount(own.length);
    throw new Failure("usage", `${prefix} is the beginning of ${count} stored outputs`, {
      hint: "give more of the ID",
    });
  }
  if (own[0] !== undefined) return own[0].id;
  if (records.some((record) => record !== undefined)) throw accessDenied(`what begins with ${prefix}`);
  const [broken] = candidates;
  if (broken !== undefined) return broken;
  const removal = findRemoved(dataDirectory, prefix);
  throw removal
    ? notFound(dataDirectory, removal.id)
    : new Failure("not-found", `no stored output begins with ${prefix}`);
}

/**
 * The ids of all that has a record, in no order.
 * @throws Failure "io"
 */
export function outputIDs(dataDirectory: string, prefix = ""): string[] {
  return readNames(managedDirectory(dataDirectory))
    .filter((name) => name.endsWith(".json") && name.startsWith(prefix) && isID(name.slice(0, -5)))
    .map((name) => name.slice(0, -5));
}

/** Ids that have a record and begin with `prefix`, by the time of the record; never by the id, whose time wraps. */
function newestFirst(dataDirectory: string, prefix = ""): string[] {
  const managed = managedDirectory(dataDirectory);
  return outputIDs(dataDirectory, prefix)
    .map((id) => ({ id, modifiedMs: modificationMs(join(managed, recordName(id))) }))
    .sort((one, other) => other.modifiedMs - one.modifiedMs || (one.id < other.id ? 1 : -1))
    .map(({ id }) => id);
}

function modificationMs(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function readSoundRecord(dataDirectory: string, id: string): OutputRecord | undefined {
  try {
    return readRecord(dataDirectory, id);
  } catch {
    return undefined; // removed meanwhile, or another user's
  }
}
