/** Outputs of jobs that go on, by their URIs: they have no record in the store yet. */
import { Failure } from "../errors.ts";
import type { Asker } from "../store/asker.ts";
import { parseReference, uriOf } from "../store/reference.ts";
import { isGivenTo } from "../store/session.ts";
import { jobIDs, readJob } from "./directory.ts";
import { isSupervised } from "./find.ts";
import { type JobOutputView, openJobOutput } from "./live.ts";
import { hasEnded, type JobRecord } from "./record.ts";

export interface GrowingOutput extends JobOutputView {
  readonly job: JobRecord;
  readonly uri: string;
}

/**
 * What there is so far of the output that the URI or ID refers to; null when no job that goes on writes it.
 * @throws Failure "access-denied", "io"
 */
export function openGrowingOutput(dataDirectory: string, reference: string, asker: Asker): GrowingOutput | null {
  const meant = parseReference(reference);
  if (meant.kind === "last") return null;
  const isMeant = (id: string) => (meant.kind === "id" ? id === meant.id : id.startsWith(meant.prefix));
  const job = jobIDs(dataDirectory)
    .map((id) => readJob(dataDirectory, id))
    .find((one) => one !== undefined && !hasEnded(one) && isMeant(one.output.id) && isSupervised(one));
  if (job === undefined) return null;
  const uri = uriOf(job.output.id);
  if (!isGivenTo(job.output, asker)) throw new Failure("access-denied", `${uri} belongs to another session`);
  const view = openJobOutput(dataDirectory, job);
  return view === null ? null : { ...view, job, uri };
}
