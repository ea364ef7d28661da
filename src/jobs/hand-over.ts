import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import { uriOf } from "../store/reference.ts";
import { formatDocument } from "../text/visible.ts";
import { jobDocument } from "./describe.ts";
import { readJob } from "./directory.ts";

/**
 * Says which job goes on: its ID and the URI of its output, a line each, or one document.
 * @throws Failure "io" when its record is not there any more
 */
export function printHandOver(dataDirectory: string, id: string, format: "plain" | "json" | "text", io: Io): void {
  const job = readJob(dataDirectory, id);
  if (job === undefined) throw new Failure("io", `the record of ${id} has been removed`);
  if (format === "json") io.stdout.write(formatDocument({ version: 1, job: jobDocument(job) }));
  else io.stdout.write(`${id}\n${uriOf(job.output.id)}\n`);
}
