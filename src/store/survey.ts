/**
 * What lies in the store, from one reading of the directory: names and stats. A record's content is read only of a pair
 * that may be removed for not matching, which takes most of the time in a large store.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../errors.ts";
import { managedDirectory, readNames } from "./directory.ts";
import { readRecord } from "./find.ts";
import { isID } from "./reference.ts";
import { type FoundFile, type FoundOutput, graceMs } from "./sweep-plan.ts";
import { isWriterAlive, parseMarkName } from "./writer-mark.ts";

/**
 * The files of the store by id. A name that the store does not give, or a directory of such a name, is not its own.
 * @throws Failure "io"
 */
export function surveyOutputs(dataDirectory: string, clockMs: number): FoundOutput[] {
  const managed = managedDirectory(dataDirectory);
  const outputs = new Map<string, FoundName[]>();
  for (const name of readNames(managed)) {
    const found = findName(managed, name);
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
  const [, id, ending] = /^(\w{26})\.(json|txt)$/.exec(name) ?? [];
  if (id && isID(id)) return { id, role: ending === "json" ? "record" : "payload" };
  const mark = parseMarkName(name);
  return mark && { id: mark.id, role: "mark" };
}

function describeOutput(dataDirectory: string, id: string, found: FoundName[], clockMs: number): FoundOutput {
  const files = found.sort((one, other) => removalOrder.indexOf(one.role) - removalOrder.indexOf(other.role));
  const hasRecord = files[0]?.role === "record";
  const isYoung = files.some(({ modifiedMs }) => clockMs - modifiedMs <= graceMs);
  const payload = files.find(({ role }) => role === "payload");
  return {
    id,
    files,
    hasRecord,
    isSound: !hasRecord || isYoung || isSoundPair(dataDirectory, id, payload),
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
