/**
 * What gc removed, so that an output that has expired can be told from one that never was: the last ids with time and
 * reason, a line each, in one file. Lines are appended; a file that has grown too large is written anew with the last of
 * them. It is a help and no more: of two gcs at once one may lose lines, and trouble with it is no trouble of the store.
 */
import { closeSync, constants, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createPrivateFile, readRegularFile, writeFully } from "./file.ts";
import { idPattern } from "./reference.ts";
import type { RemovalReason } from "./sweep-plan.ts";

/** At least so many are known; of a longer list the file is bounded. */
const mostEntries = 10_000;
const mostFileBytes = 2 * 1024 * 1024;
const mostLineBytes = 55;

export interface RemovedOutput {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly removedMs: number;
  readonly reason: RemovalReason;
}

/** Adds to the list, which keeps the last 10,000 at least. Never throws. */
export function noteRemoved(dataDirectory: string, removed: readonly RemovedOutput[]): void {
  if (removed.length === 0) return;
  const lines = removed.slice(-mostEntries).map(formatLine);
  try {
    const before = readLines(dataDirectory);
    const bytes = (before.length + lines.length) * mostLineBytes;
    if (bytes <= mostFileBytes) append(dataDirectory, lines);
    else replace(dataDirectory, [...before, ...lines].slice(-mostEntries));
  } catch {
    // An output that has expired will be told as one that never was.
  }
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;

/** Begins with a line feed, too: a batch that a kill has cut off spoils no line of another. */
function append(dataDirectory: string, lines: readonly string[]): void {
  const fd = openSync(listPath(dataDirectory), O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
  writeAndClose(fd, `\n${lines.join("\n")}\n`);
}

function replace(dataDirectory: string, lines: readonly string[]): void {
  const aside = join(dataDirectory, `removed.${process.pid}.tmp`);
  rmSync(aside, { force: true });
  writeAndClose(createPrivateFile(aside), `${lines.join("\n")}\n`);
  renameSync(aside, listPath(dataDirectory));
}

function writeAndClose(fd: number, text: string): void {
  try {
    writeFully(fd, Buffer.from(text));
  } finally {
    closeSync(fd);
  }
}

function formatLine({ id, removedMs, reason }: RemovedOutput): string {
  return `${id} ${Math.round(removedMs)} ${reason}`;
}

const linePattern = new RegExp(`^(${idPattern}) (\\d{1,15}) (expired|mismatched|orphan|quota)$`);

/** The newest entry whose id begins with `prefix`. Never throws. */
export function findRemoved(dataDirectory: string, prefix: string): RemovedOutput | undefined {
  const line = readLines(dataDirectory).findLast((text) => text.startsWith(prefix));
  const [, id, removedMs, reason] = linePattern.exec(line ?? "") ?? [];
  return id ? { id, removedMs: Number(removedMs), reason: reason as RemovalReason } : undefined;
}

export function tellRemoval({ removedMs, reason }: RemovedOutput): string {
  return `gc removed it at ${new Date(removedMs).toISOString()}, ${reasonTexts[reason]}`;
}

const reasonTexts: Readonly<Record<RemovalReason, string>> = {
  expired: "it was older than the retention",
  mismatched: "its files did not match",
  orphan: "it had no metadata",
  quota: "the store was over its quota",
};

function readLines(dataDirectory: string): string[] {
  try {
    const text = readRegularFile(listPath(dataDirectory), 2 * mostFileBytes)?.toString("latin1") ?? "";
    return text.split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}

function listPath(dataDirectory: string): string {
  return join(dataDirectory, "removed");
}
