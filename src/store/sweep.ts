import { closeSync, constants, fstatSync, lstatSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { Failure, hasCode } from "../errors.ts";
import { managedDirectory, readNames } from "./directory.ts";
import { readRecord } from "./find.ts";
import { isID } from "./reference.ts";
import { removeFiles } from "./removal.ts";
import { noteRemoved } from "./removed.ts";
import { type FoundFile, type FoundOutput, graceMs, planSweep, type Removal, type SweepPlan } from "./sweep-plan.ts";
import { isWriterAlive, parseMarkName } from "./writer-mark.ts";

export interface SweepOrder {
  readonly retentionMs: number;
  readonly quotaBytes: number;
  /** Only says what it would remove. */
  readonly isDryRun: boolean;
}

export interface SweepOutcome {
  /** Oldest first; under `isDryRun` what would be removed. */
  readonly removed: readonly Removal[];
  readonly kept: { readonly count: number; readonly bytes: number };
  /** Removals that were due and could not be done. */
  readonly failures: readonly Failure[];
}

/**
 * Removes what is due, see sweep-plan.ts, beside writers, readers and other sweeps at work. A store that is missing is
 * an empty one.
 * @param nowMs The process's clock, asked where the file system's cannot be.
 * @throws Failure "io" when the store cannot be read
 */
export function sweep(dataDirectory: string, order: SweepOrder, nowMs: number): SweepOutcome {
  const managed = managedDirectory(dataDirectory);
  const names = readNames(managed);
  const clockMs = names.length === 0 ? nowMs : (fileSystemClockMs(dataDirectory) ?? nowMs);
  const found = findOutputs(dataDirectory, names, clockMs);
  const plan = planSweep(found, { ...order, nowMs: clockMs });
  if (order.isDryRun) return { removed: plan.removals, kept: plan.kept, failures: [] };
  const outcome = applySweep(managed, plan);
  noteRemoved(
    dataDirectory,
    outcome.removed.filter(({ reason }) => reason !== "orphan").map((one) => ({ ...one, removedMs: clockMs })),
  );
  return outcome;
}

/** Does what was planned; what could not be removed counts as kept. */
function applySweep(managed: string, plan: SweepPlan): SweepOutcome {
  const removed: Removal[] = [];
  const failures: Failure[] = [];
  const kept = { ...plan.kept };
  for (const removal of plan.removals) {
    try {
      if (removeFiles(managed, removal.names)) removed.push(removal);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
      kept.count += Number(removal.reason !== "orphan");
      kept.bytes += removal.reason === "orphan" ? 0 : removal.bytes;
    }
  }
  return { removed, kept, failures };
}

/** The time that the file system gives a new file: ages are told by its clock, which may be another machine's. */
function fileSystemClockMs(dataDirectory: string): number | undefined {
  const probe = join(dataDirectory, `probe.${process.pid}.tmp`);
  try {
    const fd = openSync(
      probe,
      constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW | constants.O_WRONLY,
      0o600,
    );
    try {
      unlinkSync(probe);
      return fstatSync(fd).mtimeMs;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined; // nothing can be removed there either
  }
}

/** The names that the store gives, by id; a name that it does not know, or a directory of such a name, is not its own. */
function findOutputs(dataDirectory: string, names: readonly string[], clockMs: number): FoundOutput[] {
  const outputs = new Map<string, FoundName[]>();
  for (const name of names) {
    const found = findName(managedDirectory(dataDirectory), name);
    if (found === undefined) continue;
    const others = outputs.get(found.id);
    if (others === undefined) outputs.set(found.id, [found]);
    else others.push(found);
  }
  return [...outputs].map(([id, files]) => describeOutput(dataDirectory, id, files, clockMs));
}

type FileRole = "record" | "mark" | "payload";

interface FoundName extends FoundFile {
  readonly id: string;
  readonly role: FileRole;
  readonly isRegular: boolean;
}

const removalOrder: readonly FileRole[] = ["record", "mark", "payload"];

function findName(managed: string, name: string): FoundName | undefined {
  const named = parseName(name);
  if (named === undefined) return undefined;
  const stats = lstatSync(join(managed, name), { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return undefined;
  return { ...named, name, bytes: stats.size, modifiedMs: stats.mtimeMs, isRegular: stats.isFile() };
}

function parseName(name: string): { id: string; role: FileRole } | undefined {
  const mark = parseMarkName(name);
  if (mark) return { id: mark.id, role: "mark" };
  const [, id, ending] = /^(\w{26})\.(json|txt)$/.exec(name) ?? [];
  return id && isID(id) ? { id, role: ending === "json" ? "record" : "payload" } : undefined;
}

/** Only a pair that is old enough to be removed for it is compared: reading every record takes time. */
function describeOutput(dataDirectory: string, id: string, found: FoundName[], clockMs: number): FoundOutput {
  const files = found.sort((one, other) => removalOrder.indexOf(one.role) - removalOrder.indexOf(other.role));
  const hasRecord = files[0]?.role === "record";
  const isYoung = files.some(({ modifiedMs }) => clockMs - modifiedMs <= graceMs);
  return {
    id,
    files,
    hasRecord,
    isSound:
      !hasRecord ||
      isYoung ||
      isSoundPair(
        dataDirectory,
        id,
        files.find(({ role }) => role === "payload"),
      ),
    hasLiveWriter: files.some(({ role, name }) => role === "mark" && isLiveMark(name)),
  };
}

function isSoundPair(dataDirectory: string, id: string, payload: FoundName | undefined): boolean {
  try {
    return payload?.isRegular === true && readRecord(dataDirectory, id)?.size === payload.bytes;
  } catch (error) {
    return !hasCode(error, "ENOENT"); // what may not be read cannot be judged
  }
}

function isLiveMark(name: string): boolean {
  const mark = parseMarkName(name);
  return mark !== undefined && isWriterAlive(mark);
}
