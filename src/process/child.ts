/**
 * Starts the command and tells how it ended.
 * node:child_process and not execa: with execa bundled on this path `toolout run -- true` took 2.4 times as long as
 * `node -e 0`, without it 1.65 (medians of 40 paired runs, Node 20); execa runs the editor (config/editor.ts).
 */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import type { Readable } from "node:stream";
import { hasCode } from "../errors.ts";
import type { Environment } from "../io.ts";
import type { Receiver, Source } from "../stream/reading.ts";
import { readPipe, readStream } from "../stream/source.ts";
import { type Fifo, openFifos } from "./fifo.ts";
import { isUnderNohup } from "./nohup.ts";
import { restoreOpenFilesLimit } from "./open-files.ts";
import { keepRaw, type Launch } from "./raw-words.ts";
import { standardTool } from "./standard-tool.ts";
import { checkDirectory, failureToStart } from "./start-failure.ts";
import { stdinFor } from "./stdin.ts";
import { nameOfDescriptor } from "./tree.ts";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Directory to change to first; undefined stays. */
  readonly directory: string | undefined;
  readonly env: Environment;
  /** Descriptor that becomes the command's stdin, as it is. */
  readonly stdin: number;
  /** Descriptors that the command gets under their own numbers; closed here once it has them. */
  readonly inherited: readonly number[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number;
  /** One for each receiver. */
  readonly sources: readonly Source[];
  /** How the pipes of its output are called under /proc; see tree.ts. */
  readonly pipeNames: readonly string[];
  /** When the command itself has ended, whoever else still holds its output. */
  readonly exited: Promise<Exit>;
}

/**
 * Starts a command. Two receivers get stdout and stderr, one gets both through one pipe, in the order they were written.
 * Throws Failure: command-not-found (POSIX: 127), not-runnable (126), io when there is no process to be had (125).
 */
export async function startChild(command: Command, receivers: readonly Receiver[]): Promise<Child> {
  if (command.directory !== undefined) checkDirectory(command.directory);
  const [fifos] = await Promise.all([openFifos(receivers.length, command.env), restoreOpenFilesLimit()]);
  // Signals that came meanwhile are known before there is a command: it cannot have got them with the rest of the group.
  await new Promise(setImmediate);
  try {
    const child = spawnWith(fifos, command, receivers.length);
    const exited = new Promise<Exit>((resolve) => {
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    const { pid } = child;
    if (pid === undefined) throw await new Promise((resolve) => child.once("error", resolve));
    const pipeNames = (fifos ?? []).map(({ readFd }) => nameOfDescriptor(readFd)).filter((name) => name !== undefined);
    return { pid, exited, pipeNames, sources: receivers.map((receiver, i) => sourceOf(child, fifos, i, receiver)) };
  } catch (error) {
    for (const { readFd } of fifos ?? []) closeSync(readFd);
    throw failureToStart(command, error);
  } finally {
    // The end is when the command has closed them: that of its output, and that of what others read from it.
    for (const fd of [...(fifos ?? []).map(({ writeFd }) => writeFd), ...command.inherited]) closeSync(fd);
  }
}

type Stdio = Exclude<SpawnOptions["stdio"], undefined | string>;

/** Where no FIFO can be made it is sockets; then a shell joins the two streams for `--merge`, and becomes the command. */
function spawnWith(fifos: readonly Fifo[] | null, command: Command, streams: number): ChildProcess {
  const stdin = stdinFor(command.stdin);
  const stdio: Stdio = [stdin, "pipe", streams === 2 ? "pipe" : "ignore"];
  if (fifos !== null) {
    const [out, err = out] = fifos as [Fifo, Fifo?];
    stdio.splice(1, 2, out.writeFd, err.writeFd);
  }
  for (const fd of command.inherited) stdio[fd] = fd;
  const options = { cwd: command.directory, stdio: Array.from(stdio, (fd) => fd ?? "ignore") };
  const plain = launch(command, fifos === null && streams === 1);
  const { file, args, env } = keepRaw(plain);
  try {
    return spawn(file, args, { ...options, env });
  } catch (error) {
    if (file === plain.file || !hasCode(error, "E2BIG")) throw error;
    return spawn(plain.file, plain.args, { ...options, env: plain.env }); // altered words are better than no command
  } finally {
    if (stdin !== command.stdin) closeSync(stdin);
  }
}

/** `joins`: stderr is to go where stdout goes. */
function launch({ file, args, env, stdin }: Command, joins: boolean): Launch {
  const under = isUnderNohup(stdin) ? [standardTool("nohup"), "--"] : [];
  const before = joins ? ["/bin/sh", "-c", 'exec "$@" 2>&1', "sh", ...under] : under;
  const [first = file, ...rest] = [...before, file, ...args];
  return { file: first, args: rest, env };
}

function sourceOf(child: ChildProcess, fifos: readonly Fifo[] | null, index: number, receiver: Receiver): Source {
  const fifo = fifos?.[index];
  if (fifo !== undefined) return readPipe(fifo.readFd, receiver);
  return readStream(child.stdio[index + 1] as Readable, receiver);
}
