/**
 * What gc removed, so that an output that has expired can be told from one that never was: the last ids with time and
 * reason, a line each, in one small file. It is a help and no more: of two gcs at once one list may win, and trouble with
 * it is no trouble of the store.
 */

import { closeSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createPrivateFile, readRegularFile, writeFully } from "./file.ts";
import { idPattern } from "./reference.ts";
import type { RemovalReason } from "./sweep-plan.ts";

const mostEntries = 1000;
const mostFileBytes = 1024 * 1024;

export interface RemovedOutput {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly removedMs: number;
  readonly reason: RemovalReason;
}

/** Adds to the list, which keeps the last 1,000. Never throws. */
export function noteRemoved(dataDirectory: string, removed: readonly RemovedOutput[]): void {
  if (removed.length === 0) return;
  const lines = removed.map(({ id, removedMs, reason }) => `${id} ${Math.round(removedMs)} ${reason}`);
  const all = [...readLines(dataDirectory), ...lines].slice(-mostEntries);
  const aside = join(dataDirectory, `removed.${process.pid}.tmp`);
  try {
    rmSync(aside, { force: true });
    const fd = createPrivateFile(aside);
    try {
      writeFully(fd, Buffer.from(`${all.join("\n")}\n`));
    } finally {
      closeSync(fd);
    }
    renameSync(aside, listPath(dataDirectory));
  } catch {
    quietlyRemove(aside);
  }
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
    const text = readRegularFile(listPath(dataDirectory), mostFileBytes)?.toString("latin1") ?? "";
    return text.split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}

function listPath(dataDirectory: string): string {
  return join(dataDirectory, "removed");
}

function quietlyRemove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is in the way of nothing: the next list of this process id replaces it.
  }
}
