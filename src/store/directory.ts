/**
 * Where things lie: `managed/ID.txt` holds the bytes, `managed/ID.json` the metadata, `managed/ID.PID.START.tmp` is the
 * mark of a writer at work and becomes ID.json. Beside `managed` lie the stamp of the last sweep and the list of what gc
 * removed.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Failure, hasCode, reason } from "../errors.ts";

export function managedDirectory(dataDirectory: string): string {
  return join(dataDirectory, "managed");
}

/** Where the records of background commands lie; see jobs/directory.ts. */
export function jobsDirectory(dataDirectory: string): string {
  return join(dataDirectory, "jobs");
}

export function payloadName(id: string): string {
  return `${id}.txt`;
}

export function recordName(id: string): string {
  return `${id}.json`;
}

/**
 * The names in `managed`; none when it is not there yet.
 * @throws Failure "io"
 */
export function readNames(managed: string): string[] {
  try {
    return readdirSync(managed);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw new Failure("io", `cannot read the directory ${managed}: ${reason(error)}`, { cause: error });
  }
}
