/**
 * The supervisor of one job: starts the command, stores its output while it comes, and writes down how it ended. It is a
 * process in a session of its own, so that nothing that happens to whoever started it reaches it; what it is asked for comes
 * as a file and a signal.
 */
import { closeSync } from "node:fs";
import { basename } from "node:path";
import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import { loadRedaction } from "../output/redaction.ts";
import { sweepLater } from "../output/sweep-later.ts";
import { makeClosedDirectory } from "../private-directory.ts";
import { type Child, startChild } from "../process/child.ts";
import { catchSignals } from "../process/signals.ts";
import { type Ending, Supervisor } from "../process/supervise.ts";
import { identify } from "../process/tree.ts";
import { jobsDirectory } from "../store/directory.ts";
import { hashSession } from "../store/session.ts";
import { sweep } from "../store/sweep.ts";
import { beginOutput, type OutputWriter } from "../store/write.ts";
import { type Channel, type JobOrder, type JobReply, openChannel } from "./channel.ts";
import { jobPath, readRequest, removeJobRecord, removeSidecars, writeJob } from "./directory.ts";
import { processNamespace } from "./find.ts";
import { createJobID } from "./id.ts";
import { endInput, type JobInput, openInput } from "./input.ts";
import { JobOutput } from "./output.ts";
import type { JobRecord, JobState } from "./record.ts";
import { lookSignal } from "./requests.ts";

const endSignals: readonly NodeJS.Signals[] = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"];

/** Stays with a job to its end; does nothing else than that. @throws Failure "usage" without a starter */
export async function superviseJob(command: readonly string[], io: Io): Promise<void> {
  const channel = openStarterChannel();
  const order = await channel.hear();
  if (order === undefined) return;
  const job = new Job(command, order, io);
  try {
    const id = await job.start();
    channel.say({ kind: "started", id });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { kind, message, hint } = error;
    channel.say({ kind: "failed", failure: { kind, message, hint } });
    channel.close();
    return;
  }
  await job.ended();
  channel.say({ kind: "ended" });
  channel.close();
  await sweepLater({ ...io.env, TOOLOUT_DATA_DIR: order.dataDirectory }, io.now()).catch(() => {});
}

function openStarterChannel(): Channel<JobReply, JobOrder> {
  try {
    return openChannel();
  } catch (error) {
    throw new Failure("usage", "only toolout run starts this", { cause: error });
  }
}

class Job {
  readonly #command: readonly string[];
  readonly #order: JobOrder;
  readonly #io: Io;
  readonly #supervisor: Supervisor;
  readonly #id = createJobID();
  #record!: JobRecord;
  #output!: JobOutput;
  #input: JobInput | null = null;
  #isWatched = false;
  #isStopped = false;
  #killAfterMs: number | undefined;

  constructor(command: readonly string[], order: JobOrder, io: Io) {
    this.#command = command;
    this.#order = order;
    this.#io = io;
    this.#supervisor = new Supervisor(order, false);
    catchSignals(endSignals, () => this.#stop());
    catchSignals([lookSignal], () => this.#look());
  }

  /** The id, once the command runs. @throws Failure, with nothing left behind */
  async start(): Promise<string> {
    const { dataDirectory, takesInput, keepBytes, redact } = this.#order;
    makeClosedDirectory(jobsDirectory(dataDirectory));
    const redaction = await loadRedaction({ redact });
    const writer = beginOutput(dataDirectory, keepBytes, () => this.#sweep());
    try {
      this.#output = new JobOutput(writer, redaction && new redaction.Masker(), (counts) => this.#update(counts));
      this.#record = this.#describe(writer);
      writeJob(dataDirectory, this.#record);
      if (takesInput) this.#input = await openInput(jobPath(dataDirectory, this.#id, "stdin"));
      const { pid } = await this.#startCommand();
      process.chdir("/"); // what it was started in may be unmounted meanwhile
      this.#update({ state: "running", command: identify(pid) });
    } catch (error) {
      if (this.#input !== null) endInput(this.#input);
      writer.discard();
      removeJobRecord(dataDirectory, this.#id);
      throw error;
    }
    return this.#id;
  }

  /** Resolves when the command has ended, its output is stored, and the record says so. */
  async ended(): Promise<void> {
    const ending = await this.#supervisor.ended();
    const { exit } = ending;
    const { session, toolCallID, recordCommand, dataDirectory } = this.#order;
    const own = { name: this.#record.output.name, session, toolCallID, exitCode: exit.code, signal: exit.signal };
    const kept = this.#output.end(recordCommand ? { ...own, command: this.#command } : own);
    this.#update({
      ...kept,
      state: this.#stateAfter(ending),
      exitCode: exit.code,
      signal: exit.signal,
      endedMs: this.#io.now(),
    });
    if (this.#input !== null) endInput(this.#input);
    removeSidecars(dataDirectory, this.#id);
  }

  async #startCommand(): Promise<Child> {
    const [file = "", ...args] = this.#command;
    const { directory } = this.#order;
    const stdin = this.#input?.readFd ?? this.#io.stdin;
    const command = { file, args, directory, env: this.#io.env, stdin, inherited: [] };
    try {
      const child = await startChild(command, [
        (bytes) => {
          this.#output.write(bytes);
          return undefined;
        },
      ]);
      this.#supervisor.watch(child);
      this.#isWatched = true;
      if (this.#isStopped) this.#stop(this.#killAfterMs);
      return child;
    } finally {
      if (this.#input !== null) closeSync(stdin); // who writes to it must see when the command has stopped reading
    }
  }

  #describe(writer: OutputWriter): JobRecord {
    const { session, toolCallID = null, name, takesInput } = this.#order;
    return {
      version: 1,
      id: this.#id,
      sessionID: hashSession(session, this.#id),
      name: name ?? basename(this.#command[0] ?? ""),
      state: "starting",
      namespace: processNamespace(),
      supervisor: identify(process.pid),
      command: null,
      output: { id: writer.id, sessionID: hashSession(session, writer.id), toolCallID, name: name ?? "output" },
      takesInput,
      startedMs: this.#io.now(),
      endedMs: null,
      exitCode: null,
      signal: null,
      bytes: null,
      lines: null,
      complete: null,
      redacted: null,
      trouble: null,
    };
  }

  #stateAfter({ exit, timedOut }: Ending): JobState {
    if (timedOut) return "timed-out";
    if (this.#isStopped) return "stopped";
    return exit.signal === null ? "exited" : "signaled";
  }

  /** A disk that is full now does not end the command; who asks later finds the output's own record. */
  #update(changes: Partial<JobRecord>): void {
    this.#record = { ...this.#record, ...changes };
    try {
      writeJob(this.#order.dataDirectory, this.#record);
    } catch {
      this.#sweep();
    }
  }

  #sweep(): void {
    const { dataDirectory, retentionMs, quotaBytes } = this.#order;
    sweep(dataDirectory, { retentionMs, quotaBytes, isDryRun: false, env: this.#io.env }, this.#io.now());
  }

  /** A command that has not started yet is ended once it has. */
  #stop(killAfterMs?: number): void {
    this.#isStopped = true;
    this.#killAfterMs = killAfterMs;
    if (this.#isWatched) this.#supervisor.stop(killAfterMs);
  }

  #look(): void {
    const { dataDirectory } = this.#order;
    const stop = readRequest(dataDirectory, this.#id, "stop");
    if (stop !== undefined) this.#stop(/^\d+\s*$/.test(stop) ? Number(stop) : undefined);
    const eof = readRequest(dataDirectory, this.#id, "eof");
    if (eof !== undefined && this.#input !== null) endInput(this.#input);
  }
}
