/** Starts a job under a supervisor of its own, which goes on whatever becomes of this process. */
import { type SpawnOptions, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { Failure, reason } from "../errors.ts";
import type { Environment } from "../io.ts";
import { restoreOpenFilesLimit } from "../process/open-files.ts";
import { keepRaw } from "../process/raw-words.ts";
import { Channel, channelFd, type JobOrder, type JobReply } from "./channel.ts";
import { superviseWord } from "./supervise-word.ts";

export interface StartedJob {
  readonly id: string;
  /** Resolves when the job has ended, or its supervisor is gone. */
  readonly ended: Promise<void>;
  /** Lets this process end before the job. */
  release(): void;
}

/**
 * @param stdin What the command reads from; null for nothing.
 * @throws Failure as `startChild`, or "io" when nothing can be stored
 */
export async function startJob(
  command: readonly string[],
  order: JobOrder,
  env: Environment,
  stdin: number | null,
): Promise<StartedJob> {
  await restoreOpenFilesLimit(); // the supervisor takes it from its parent, as `run` does
  const program = process.argv[1] ?? "";
  const stdio: SpawnOptions["stdio"] = [stdin ?? "ignore", "ignore", "ignore", "pipe"];
  const launch = keepRaw({ file: process.execPath, args: [program, superviseWord, ...command], env });
  const supervisor = spawn(launch.file, launch.args, { stdio, detached: true, env: launch.env });
  await new Promise<void>((resolve, reject) => {
    supervisor.once("spawn", resolve);
    supervisor.once("error", (error) =>
      reject(new Failure("io", `cannot start a supervisor: ${reason(error)}`, { cause: error })),
    );
  });
  const channel = new Channel<JobOrder, JobReply>(supervisor.stdio[channelFd] as Socket);
  channel.say(order);
  const reply = await channel.hear();
  if (reply?.kind === "failed") throw new Failure(reply.failure.kind, reply.failure.message, reply.failure);
  if (reply?.kind !== "started") throw new Failure("io", "the supervisor ended before the command had started");
  const release = () => {
    channel.close();
    supervisor.unref();
  };
  return { id: reply.id, ended: channel.hear().then(() => {}), release };
}
