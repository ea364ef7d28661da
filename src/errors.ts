/**
 * Every failure that toolout reports itself, and the one table from its kind to an exit status.
 * Anything else that reaches main is a bug and shows its stack.
 */

/**
 * Exit status of a failure: `run` keeps 125 to 127 for itself, as env(1), nice(1) and timeout(1) do, and 1 of grep(1) says
 * that no line matched, so that its trouble is above 1 (POSIX). A `hook` never ends with 2, by which agents understand that
 * it forbids the call (Claude Code "Hooks reference", Gemini CLI docs/hooks/reference.md).
 */
const statuses = {
  usage: { run: 125, other: 2 },
  "invalid-uri": { run: 125, other: 2 },
  "not-found": { run: 125, other: 3 },
  expired: { run: 125, other: 3 },
  "access-denied": { run: 125, other: 4 },
  damaged: { run: 125, other: 5 },
  "too-large": { run: 1, other: 1 },
  io: { run: 125, grep: 2, other: 1 },
  "not-runnable": { run: 126, other: 126 },
  "command-not-found": { run: 127, other: 127 },
} as const satisfies Record<string, { run: number; grep?: number; other: number }>;

export type FailureKind = keyof typeof statuses;

/** All kinds, as JSON documents and the man page name them. */
export const failureKinds = Object.keys(statuses) as readonly FailureKind[];

export interface FailureDetails {
  /** A second line that says what to do; only where the message cannot. */
  hint?: string | undefined;
  cause?: unknown;
}

/** A failure with a one-line message that names what was wrong, the value, and what would be right. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly hint: string | undefined;

  constructor(kind: FailureKind, message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "Failure";
    this.kind = kind;
    this.hint = details.hint;
  }
}

/** The exit status for a failure of `kind` in `command` ("run", "pipe", "read", …). */
export function exitStatus(kind: FailureKind, command: string): number {
  const { run, grep, other }: { run: number; grep?: number; other: number } = statuses[kind];
  if (command === "run") return run;
  if (command === "hook") return 1;
  return command === "grep" && grep !== undefined ? grep : other;
}

/** What the system says of an error, without Node's prefix and path: `no space left on device`. */
export function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    (code && systemTexts[code]) ||
    (message ?? String(error)).replace(/^[A-Z0-9]+: /, "").replace(/, [a-z]+( '.*)?$/, "")
  );
}

/** True for an errno exception with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}

const systemTexts: Record<string, string> = {
  E2BIG: "argument list too long",
  EACCES: "permission denied",
  EDQUOT: "disk quota exceeded",
  EFBIG: "file too large",
  EIO: "input/output error",
  EISDIR: "is a directory",
  ELOOP: "too many symbolic links",
  ENAMETOOLONG: "file name too long",
  EMFILE: "too many open files",
  ENOEXEC: "not an executable format",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on device",
  ENOTDIR: "not a directory",
  EPERM: "operation not permitted",
  ETXTBSY: "text file busy",
  EROFS: "read-only file system",
};
