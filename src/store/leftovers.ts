/**
 * What a kill leaves outside `managed`: files of gc's own that were to be renamed or removed at once, and FIFOs of `run`
 * in the directories for temporary files, which are unlinked as soon as they are open. After an hour nobody needs them.
 */
import { lstatSync, readdirSync, type Stats, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../io.ts";
import { fifoDirectories } from "../process/fifo.ts";
import { graceMs } from "./sweep-plan.ts";

interface Place {
  readonly directory: string;
  readonly names: RegExp;
  readonly isKind: (stats: Stats) => boolean;
}

/** Paths of what was left: the user's own, untouched for an hour by the store's clock. Never throws. */
export function findLeftovers(dataDirectory: string, env: Environment, clockMs: number): string[] {
  const places: Place[] = [
    { directory: dataDirectory, names: /^(?:clock|removed)\.\d+\.tmp$/, isKind: (stats) => stats.isFile() },
    ...fifoDirectories(env).map((directory) => {
      return { directory, names: /^\.toolout-\d+-[0-9a-z]+-\d\.fifo$/, isKind: (stats: Stats) => stats.isFIFO() };
    }),
  ];
  return places.flatMap((place) => findIn(place, clockMs));
}

/** Removes them; those that stay are looked at again by the next gc. Never throws. */
export function removeLeftovers(paths: readonly string[]): number {
  return paths.filter((path) => attempt(() => unlinkSync(path)) !== failed).length;
}

function findIn({ directory, names, isKind }: Place, clockMs: number): string[] {
  const all = attempt(() => readdirSync(directory));
  if (all === failed) return [];
  return all
    .filter((name) => names.test(name))
    .map((name) => join(directory, name))
    .filter((path) => {
      const stats = attempt(() => lstatSync(path));
      return stats !== failed && isKind(stats) && isOwn(stats) && clockMs - stats.mtimeMs > graceMs;
    });
}

function isOwn({ uid }: Stats): boolean {
  return uid === process.geteuid?.();
}

const failed = Symbol("failed");

function attempt<T>(act: () => T): T | typeof failed {
  try {
    return act();
  } catch {
    return failed;
  }
}
