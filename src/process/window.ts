import { spawnSync } from "node:child_process";
import type { Environment, Sink } from "../io.ts";

const usualColumns = 80;

/**
 * Columns of the terminal behind the sink: COLUMNS (POSIX), else what stty(1) says of it, else 80. It is stty that asks,
 * since Node's own way opens the terminal and sets its modes.
 */
export function columnsOf({ fd }: Sink, { COLUMNS }: Environment): number {
  const said = Number(COLUMNS);
  if (Number.isSafeInteger(said) && said > 0) return said;
  if (fd === null) return usualColumns;
  const { stdout } = spawnSync("stty", ["size"], { stdio: [fd, "pipe", "ignore"], encoding: "utf8" });
  return Number(/^\d+ ([1-9]\d*)\n$/.exec(stdout ?? "")?.[1] ?? usualColumns);
}
