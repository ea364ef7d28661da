import { chmodSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { Failure } from "../../src/errors.ts";
import type { Environment } from "../../src/io.ts";
import type { Resource } from "../../src/store/metadata.ts";
import { beginOutput, type OutputFacts } from "../../src/store/write.ts";
import { memoryIo } from "../commands/memory-io.ts";

const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** An empty directory that goes with the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "toolout-store-"));
  directories.push(directory);
  return directory;
}

export function factsOf(bytes: number, facts: Partial<OutputFacts> = {}): OutputFacts {
  return {
    name: "stdout",
    mime: "text/plain",
    session: undefined,
    toolCallID: undefined,
    lines: 1,
    bytes,
    complete: true,
    ...facts,
  };
}

/** Stores a text and gives its id besides what the commit gives. */
export function store(data: string, text: string, facts: Partial<OutputFacts> = {}): Resource & { id: string } {
  const writer = beginOutput(data, 1024 * 1024);
  writer.write(Buffer.from(text));
  return { ...writer.commit(factsOf(Buffer.byteLength(text), facts)), id: writer.id };
}

export function namesIn(data: string): string[] {
  return readdirSync(join(data, "managed")).sort();
}

/** Makes files of the store so many milliseconds old. */
export function age(data: string, names: readonly string[], ageMs: number): void {
  const then = (Date.now() - ageMs) / 1000;
  for (const name of names) utimesSync(join(data, "managed", name), then, then);
}

/** Does as a user who is not root (whom modes do not stop) and who may enter `directory`. */
export async function asOther<T>(directory: string, act: () => T | Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return act();
  chmodSync(directory, 0o755);
  process.seteuid?.(65_534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}

/** The failure that `act` throws. */
export function failureOf(act: () => unknown): Failure {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** An Io in memory that stores in `data`, and what was said to it. */
export function storeIo(data: string, env: Environment = {}) {
  const { io, written } = memoryIo({ ...env, TOOLOUT_DATA_DIR: data });
  const said = {
    get out() {
      return written.out.toString();
    },
    get err() {
      return written.err.toString();
    },
  };
  return { io: { ...io, now: Date.now }, said };
}
