/**
 * Where jobs lie: `jobs/ID.json` beside `managed` in the data directory, since a record has to live as long as its output
 * ($XDG_RUNTIME_DIR is emptied at logout). `ID.stdin` is the FIFO that leads to the command; `ID.stop` and `ID.eof` are
 * requests to the supervisor, which a signal asks to look.
 */
import { closeSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure, hasCode, reason } from "../errors.ts";
import { jobsDirectory } from "../store/directory.ts";
import { createPrivateFile, readRegularFile, writeFully } from "../store/file.ts";
import { isJobID } from "./id.ts";
import { type JobRecord, parseJobRecord } from "./record.ts";

const mostRecordBytes = 1024 * 1024;

export type JobFile = "json" | "stdin" | "stop" | "eof";
const sidecars: readonly JobFile[] = ["stdin", "stop", "eof"];

export function jobPath(dataDirectory: string, id: string, file: JobFile): string {
  return join(jobsDirectory(dataDirectory), `${id}.${file}`);
}

/** Undefined when there is none, or what is there is no record. Throws what the system says of anything else. */
export function readJob(dataDirectory: string, id: string): JobRecord | undefined {
  try {
    const text = readRegularFile(jobPath(dataDirectory, id, "json"), mostRecordBytes);
    return text === undefined ? undefined : parseJobRecord(text.toString("utf8"), id);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw new Failure("io", `cannot read the record of ${id}: ${reason(error)}`, { cause: error });
  }
}

/** Aside, then renamed: nobody ever reads half a record. @throws Failure "io" */
export function writeJob(dataDirectory: string, record: JobRecord): void {
  writeJobFile(dataDirectory, record.id, "json", `${JSON.stringify(record)}\n`);
}

/** @throws Failure "io" */
export function writeJobFile(dataDirectory: string, id: string, file: JobFile, text: string): void {
  const path = jobPath(dataDirectory, id, file);
  const aside = join(jobsDirectory(dataDirectory), `${id}.${process.pid}.tmp`);
  try {
    rmSync(aside, { force: true });
    const fd = createPrivateFile(aside);
    try {
      writeFully(fd, Buffer.from(text));
    } finally {
      closeSync(fd);
    }
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw new Failure("io", `cannot write ${path}: ${reason(error)}`, { cause: error });
  }
}

/** The text of a request; undefined when there is none. Never throws. */
export function readRequest(dataDirectory: string, id: string, file: "stop" | "eof"): string | undefined {
  try {
    return readRegularFile(jobPath(dataDirectory, id, file), mostRecordBytes)?.toString("utf8");
  } catch {
    return undefined;
  }
}

/** Removes what only a running job needs. Never throws. */
export function removeSidecars(dataDirectory: string, id: string): void {
  for (const file of sidecars) quietly(() => rmSync(jobPath(dataDirectory, id, file), { force: true }));
}

/** Forgets a job. @throws Failure "io" */
export function removeJobRecord(dataDirectory: string, id: string): void {
  removeSidecars(dataDirectory, id);
  try {
    rmSync(jobPath(dataDirectory, id, "json"), { force: true });
  } catch (error) {
    throw new Failure("io", `cannot remove the record of ${id}: ${reason(error)}`, { cause: error });
  }
}

/** The ids of all that has a record, in no order. @throws Failure "io" */
export function jobIDs(dataDirectory: string): string[] {
  return namesIn(dataDirectory)
    .filter((name) => name.endsWith(".json") && isJobID(name.slice(0, -5)))
    .map((name) => name.slice(0, -5));
}

/** Removes files of jobs that have no record, once untouched for `graceMs`. Never throws. */
export function removeStrays(dataDirectory: string, graceMs: number, nowMs: number): void {
  for (const name of namesIn(dataDirectory)) {
    const [, id] = /^(job-[0-9A-Za-z]{10})\.(?:stdin|stop|eof|\d+\.tmp)$/.exec(name) ?? [];
    if (id === undefined) continue;
    const path = join(jobsDirectory(dataDirectory), name);
    quietly(() => {
      const isNeeded = !name.endsWith(".tmp") && readJob(dataDirectory, id) !== undefined;
      if (!isNeeded && nowMs - lstatSync(path).mtimeMs > graceMs) rmSync(path);
    });
  }
}

function namesIn(dataDirectory: string): string[] {
  try {
    return readdirSync(jobsDirectory(dataDirectory));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw new Failure("io", `cannot read the directory ${jobsDirectory(dataDirectory)}: ${reason(error)}`, {
      cause: error,
    });
  }
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // A later gc tries again.
  }
}
