import { exitStatus, Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import { isJobID } from "../jobs/id.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import { dataDirectory } from "../paths.ts";
import { type Asker, askerOf } from "../store/asker.ts";
import { managedDirectory, payloadName, recordName } from "../store/directory.ts";
import { type FilterRequest, isFiltering, parseFilter } from "../store/filter.ts";
import { findRecord, notFound, recordsFor, resolveID } from "../store/find.ts";
import { uriOf } from "../store/reference.ts";
import { removeFiles } from "../store/removal.ts";
import { quote } from "../text/quote.ts";
import { formatDocument, visible } from "../text/visible.ts";

export interface RmRequest extends FilterRequest {
  /** URIs, ids, unique prefixes of ids, `last`, or IDs of jobs; none where a filter says what goes. */
  readonly references: readonly string[];
  readonly json: boolean;
  readonly session?: string | undefined;
  readonly anySession?: boolean | undefined;
}

/**
 * Removes stored outputs of the asker: every one that can be, whatever becomes of the others.
 * @returns The exit status: that of the first failure.
 * @throws Failure the only one, or under `json` the first, when nothing was removed
 */
export async function rm(request: RmRequest, _limits: Limits, io: Io): Promise<number> {
  const directory = await dataDirectory(io.env);
  const asker = askerOf(request, io.env);
  const references = isFiltering(request) ? filtered(directory, request, asker, io.now()) : request.references;
  if (references.length === 0 && !isFiltering(request)) {
    throw new Failure("usage", "nothing to remove is named", { hint: "toolout rm last; or --since, --name" });
  }
  const failures: Failure[] = [];
  const [jobs, outputs] = [references.filter(isJobID), references.filter((reference) => !isJobID(reference))];
  const forgotten = jobs.length === 0 ? [] : await removeJobs(directory, jobs, asker, failures);
  // All are looked up before any is removed: `rm last last` is one output.
  const ids = attempt(outputs, (reference) => resolveID(directory, reference, asker), failures);
  const removed = [...forgotten, ...attempt([...new Set(ids)], (id) => remove(directory, id, asker), failures)];
  const [first] = failures;
  const isAll = first !== undefined && removed.length === 0 && (request.json || failures.length === 1);
  for (const failure of isAll ? failures.slice(1) : failures) notice(io.stderr, visible(failure.message));
  if (isAll) throw first;
  if (request.json) io.stdout.write(formatDocument({ version: 1, removed }));
  else io.stdout.write(removed.map((uri) => `removed ${uri}\n`).join(""));
  return first === undefined ? 0 : exitStatus(first.kind, "rm");
}

function filtered(directory: string, request: RmRequest, asker: Asker, nowMs: number): string[] {
  if (request.references.length > 0) {
    throw new Failure("usage", `${quote(request.references[0] as string)} and --since or --name exclude each other`);
  }
  const isMeant = parseFilter(request, nowMs);
  return [...recordsFor(directory, asker)].filter(isMeant).map(({ uri }) => uri);
}

function attempt<From, To>(items: readonly From[], act: (item: From) => To, failures: Failure[]): To[] {
  return items.flatMap((item) => {
    try {
      return [act(item)];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
      return [];
    }
  });
}

/** Loaded only for jobs. */
async function removeJobs(directory: string, ids: string[], asker: Asker, failures: Failure[]): Promise<string[]> {
  const { removeJob } = await import("../jobs/remove.ts");
  return attempt([...new Set(ids)], (id) => removeJob(directory, id, asker), failures).flat();
}

/** A damaged output may go as well, once its record says whose it is; one whose record is broken, by --any-session. */
function remove(directory: string, id: string, asker: Asker): string {
  try {
    findRecord(directory, id, asker);
  } catch (error) {
    if (!(error instanceof Failure && error.kind === "damaged" && asker.anySession)) throw error;
  }
  const isRemoved = removeFiles(managedDirectory(directory), [recordName(id), payloadName(id)]);
  if (!isRemoved) throw notFound(directory, id);
  return uriOf(id);
}
