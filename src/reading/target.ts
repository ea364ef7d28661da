import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { Failure } from "../errors.ts";
import type { Environment } from "../io.ts";
import { dataDirectory } from "../paths.ts";
import { askerOf } from "../store/asker.ts";
import { jobsDirectory } from "../store/directory.ts";
import type { OutputRecord } from "../store/metadata.ts";
import { openStoredOutput, type StoredOutput } from "../store/open.ts";
import { isReference, looksLikePrefix } from "../store/reference.ts";
import { formatCount } from "../text/quantity.ts";
import { quote } from "../text/quote.ts";
import { shellWord } from "../text/shell-word.ts";
import { openFile } from "./file.ts";
import { type ByteSource, descriptorSource } from "./source.ts";

/** What a command names to read from, and who asks. */
export interface TargetRequest {
  readonly target: string;
  /** What is no stored output is not looked for among the files. */
  readonly isStored?: boolean | undefined;
  readonly session?: string | undefined;
  /** Where the session was read from, which is said in its place. */
  readonly sessionFile?: string | undefined;
  readonly anySession?: boolean | undefined;
}

/** A stored output, a file or a directory that is open; `close` it. */
export interface Target {
  readonly kind: "stored" | "file" | "directory";
  /** As JSON shows it: `uri` of a stored output, `path` of anything else; `mime name size`. */
  readonly resource: Readonly<Record<string, string | number>>;
  /** The words that name it on a command line, quoted for a shell. */
  readonly words: string;
  /** Of a stored output that was kept only in part: says how much of it; what is not there was not searched or read. */
  readonly lack: string | null;
  /** Of a stored output: the bytes that its preview left out, from and to (not included); null where that is not known. */
  readonly omitted: { readonly from: number; readonly to: number } | null;
  /** Of a job that goes on: more will come behind the end. */
  readonly isGrowing: boolean;
  /** Of a directory: empty. */
  readonly source: ByteSource;
  close(): void;
}

/**
 * Opens a stored output (a URI, an id, `last`), a path, or else a stored output by a prefix of its id.
 * @throws Failure "invalid-uri", "not-found", "expired", "access-denied", "damaged", "too-large", "usage", "io"
 */
export async function openTarget(request: TargetRequest, env: Environment): Promise<Target> {
  const { target } = request;
  if (request.isStored || isReference(target)) return openStored(request, env);
  if (existsSync(target)) return openPath(target);
  if (looksLikePrefix(target)) return openStored(request, env);
  if (/^[a-z][a-z0-9+.-]*:\//i.test(target)) throw new Failure("invalid-uri", `not a stored output: ${quote(target)}`);
  // What is not there fails with the system's own reason.
  return openPath(target);
}

async function openStored(request: TargetRequest, env: Environment): Promise<Target> {
  const directory = await dataDirectory(env);
  let output: StoredOutput;
  try {
    output = openStoredOutput(directory, request.target, askerOf(request, env));
  } catch (error) {
    const growing = isNotFound(error) ? await openGrowing(directory, request, env) : null;
    if (growing !== null) return growing;
    throw error;
  }
  const { uri } = output.resource;
  return {
    kind: "stored",
    resource: { ...output.resource },
    words: [uri, ...sessionWords(request)].join(" "),
    lack: describeLack(output.record),
    omitted: omittedOf(output.record),
    isGrowing: false,
    source: descriptorSource(output.fd, output.size, uri),
    close: () => output.close(),
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof Failure && error.kind === "not-found";
}

/** What a job has printed so far; loaded only where no stored output was found and there are jobs. */
async function openGrowing(directory: string, request: TargetRequest, env: Environment): Promise<Target | null> {
  if (!existsSync(jobsDirectory(directory))) return null;
  const { openGrowingOutput } = await import("../jobs/growing.ts");
  const output = openGrowingOutput(directory, request.target, askerOf(request, env));
  if (output === null) return null;
  const { uri, job, fd, size } = output;
  return {
    kind: "stored",
    resource: { uri, mime: "text/plain", name: job.output.name, size },
    words: [uri, ...sessionWords(request)].join(" "),
    lack: `${job.id} goes on, and has printed ${describeAmount(size, job.bytes)} so far`,
    omitted: null,
    isGrowing: true,
    source: descriptorSource(fd, size, uri),
    close: () => output.close(),
  };
}

function describeAmount(size: number, bytes: number | null): string {
  if (bytes !== null && bytes > size) return `${formatCount(bytes)} bytes, of which ${formatCount(size)} are kept,`;
  return `${formatCount(size)} ${size === 1 ? "byte" : "bytes"}`;
}

function openPath(path: string): Target {
  const file = openFile(path);
  const mime = file.kind === "directory" ? "inode/directory" : "text/plain";
  return {
    ...file,
    resource: { path: resolve(path), mime, name: basename(resolve(path)), size: file.source.size },
    words: shellWord(path.startsWith("-") ? `./${path}` : path),
    lack: null,
    omitted: null,
    isGrowing: false,
  };
}

function omittedOf({ shown, bytes, size }: OutputRecord): Target["omitted"] {
  if (shown === undefined) return null;
  const to = Math.min(bytes - shown.tail, size);
  return { from: Math.min(shown.head, to), to };
}

function describeLack({ complete, size, bytes }: OutputRecord): string | null {
  return complete ? null : `only the first ${formatCount(size)} of ${formatCount(bytes)} bytes of the output were kept`;
}

/** The options that say who asks, quoted for a shell. */
export function sessionWords({
  session,
  sessionFile,
  anySession,
}: Pick<TargetRequest, "session" | "sessionFile" | "anySession">): string[] {
  if (anySession) return ["--any-session"];
  if (sessionFile !== undefined) return ["--session-file", shellWord(sessionFile)];
  return session === undefined ? [] : ["--session", shellWord(session)];
}
