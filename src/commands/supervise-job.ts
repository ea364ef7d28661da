/** What `toolout run --background` starts: the process that stays with a job. */
import type { Io } from "../io.ts";
import { superviseJob } from "../jobs/supervise.ts";

export async function supervise(command: readonly string[], io: Io): Promise<number> {
  await superviseJob(command, io);
  return 0;
}
