/** The stdin of a job that others write to: a FIFO whose read end is the command's. */
import { closeSync, rmSync } from "node:fs";
import { Failure, reason } from "../errors.ts";
import { openFifo } from "../process/fifo.ts";
import { runStandardTool } from "../process/standard-tool.ts";

export interface JobInput {
  /** The command's stdin; the caller closes it once the command has it. */
  readonly readFd: number;
  /** Held so that the command sees no end while nobody writes; null once it is given up. */
  writeFd: number | null;
  readonly path: string;
}

/** @throws Failure "io" where no FIFO can be made */
export async function openInput(path: string): Promise<JobInput> {
  const made = await runStandardTool("mkfifo", ["-m", "600", path]);
  if (made !== 0) throw new Failure("io", `cannot make the FIFO ${path}${made === "missing" ? ": no mkfifo(1)" : ""}`);
  try {
    return { ...openFifo(path), path };
  } catch (error) {
    rmSync(path, { force: true });
    throw new Failure("io", `cannot open the FIFO ${path}: ${reason(error)}`, { cause: error });
  }
}

/** The command sees the end once every other writer has closed it, too, and nobody finds it any more. */
export function endInput(input: JobInput): void {
  if (input.writeFd === null) return;
  rmSync(input.path, { force: true });
  closeSync(input.writeFd);
  input.writeFd = null;
}
