/** Background commands for tests; what is left of them ends with the test. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { JobDocument } from "../../src/jobs/describe.ts";
import type { JobRecord } from "../../src/jobs/record.ts";
import { eventually, type Sandbox, type StartOptions } from "./sandbox.ts";

export interface StartedJob {
  readonly id: string;
  readonly uri: string;
}

export interface PollDocument {
  readonly version: 1;
  readonly job: JobDocument;
  readonly content: string;
  readonly offset: number;
  readonly next: number;
  readonly truncated: boolean;
  readonly omitted: { readonly bytes: number; readonly lines: number } | null;
}

/** Starts `toolout run --background` with these words, which must end well. */
export async function startJob(
  sandbox: Sandbox,
  args: readonly string[],
  options: StartOptions = {},
): Promise<StartedJob> {
  endJobsWithTest(sandbox);
  const { status, stdout, stderr } = await sandbox.run(["run", "--background", ...args], options);
  if (status !== 0) throw new Error(`run --background ended with ${status}: ${stderr}`);
  const [id = "", uri = ""] = stdout.toString().split("\n");
  return { id, uri };
}

/** To be called before any job is started. */
export function endJobsWithTest(sandbox: Sandbox): void {
  onTestFinished(() => {
    for (const { supervisor, command } of records(sandbox)) for (const one of [supervisor, command]) kill(one?.pid);
  });
}

export function jobRecord(sandbox: Sandbox, id: string): JobRecord {
  return JSON.parse(readFileSync(join(jobsDirectory(sandbox), `${id}.json`), "utf8"));
}

export function replaceRecord(sandbox: Sandbox, record: JobRecord): void {
  writeFileSync(join(jobsDirectory(sandbox), `${record.id}.json`), JSON.stringify(record));
}

export function jobsDirectory(sandbox: Sandbox): string {
  return join(sandbox.directory, "data", "toolout", "jobs");
}

export async function pollJob(sandbox: Sandbox, id: string, args: readonly string[] = []): Promise<PollDocument> {
  const { status, stdout, stderr } = await sandbox.run(["poll", id, "--json", ...args]);
  if (status !== 0) throw new Error(`poll ended with ${status}: ${stderr}`);
  return JSON.parse(stdout.toString());
}

/** Waits until the store holds so many bytes of it. */
export async function untilPrinted(sandbox: Sandbox, id: string, text: string): Promise<void> {
  const file = join(sandbox.managed, `${jobRecord(sandbox, id).output.id}.txt`);
  await eventually(() => readFileSync(file, "utf8").includes(text));
}

function records(sandbox: Sandbox): JobRecord[] {
  try {
    const names = readdirSync(jobsDirectory(sandbox)).filter((name) => name.endsWith(".json"));
    return names.map((name) => jobRecord(sandbox, name.slice(0, -5)));
  } catch {
    return [];
  }
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
