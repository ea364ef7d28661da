/** The output of a job as it is now: still growing, or stored. */
import { closeSync, fstatSync } from "node:fs";
import { join } from "node:path";
import { Failure, hasCode, reason } from "../errors.ts";
import { managedDirectory, payloadName } from "../store/directory.ts";
import { openRegularFile, readAt } from "../store/file.ts";
import { uriOf } from "../store/reference.ts";
import { borderBefore } from "../text/utf8.ts";
import { hasEnded, type JobRecord } from "./record.ts";

export interface JobOutputView {
  readonly fd: number;
  /** Bytes that can be read; while it grows, without a character that has only begun. */
  readonly size: number;
  close(): void;
}

const longestCharacterBytes = 4;

/** Null where it has been removed, or nothing of it could be kept. @throws Failure "io" */
export function openJobOutput(dataDirectory: string, job: JobRecord): JobOutputView | null {
  const uri = uriOf(job.output.id);
  try {
    const fd = openRegularFile(join(managedDirectory(dataDirectory), payloadName(job.output.id)));
    if (fd === undefined)
      throw new Failure("damaged", `${uri} is damaged: its payload is no regular file of this user's`);
    const { size } = fstatSync(fd);
    return { fd, size: hasEnded(job) ? size : wholeCharacters(fd, size), close: () => closeSync(fd) };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error instanceof Failure
      ? error
      : new Failure("io", `cannot read ${uri}: ${reason(error)}`, { cause: error });
  }
}

function wholeCharacters(fd: number, size: number): number {
  const from = Math.max(0, size - 2 * longestCharacterBytes);
  const end = readAt(fd, Buffer.allocUnsafe(size - from), from);
  return from + borderBefore(end, end.length);
}
