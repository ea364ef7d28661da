/** A person's pager at the terminal: text goes in through a pipe, and toolout waits until the person has left it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Environment } from "../io.ts";

/** Status of a shell that cannot run a command, or not find it (POSIX, 2.8.2). */
const cannotRun = [126, 127];

/**
 * The command line of the pager: TOOLOUT_PAGER, else PAGER, else less(1) if it is there; null where none is wanted (an empty
 * one, cat) or a terminal that cannot move its cursor (TERM=dumb) has no use for it.
 */
export function pagerCommand({ TOOLOUT_PAGER, PAGER, TERM }: Environment): string | null {
  const command = TOOLOUT_PAGER ?? PAGER ?? "command -v less >/dev/null || exit 127; exec less -R";
  return TERM === "dumb" || /^\s*(cat\s*)?$/.test(command) ? null : command;
}

/**
 * Shows the text in the pager, as far as the person wants to see it. ^C is the pager's meanwhile, as with man(1).
 * @param command For the shell to take apart, as git(1) has it done.
 * @returns False when the pager could not be run, and nothing was shown.
 */
export async function showInPager(command: string, text: Iterable<string>, env: Environment): Promise<boolean> {
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    // As git(1) has it: what fits on the screen is printed and left there.
    const pager = spawn("sh", ["-c", command], { stdio: ["pipe", "inherit", "inherit"], env: { LESS: "FRX", ...env } });
    const ended = once(pager, "close");
    let isGone = false;
    pager.stdin.on("error", () => {
      isGone = true; // the person has seen enough
    });
    ended
      .catch(() => {})
      .finally(() => {
        isGone = true;
      });
    for (const piece of text) {
      if (isGone) break;
      if (!pager.stdin.write(piece)) await Promise.race([once(pager.stdin, "drain"), ended]).catch(() => {});
    }
    pager.stdin.end();
    const [status] = await ended;
    return !cannotRun.includes(status);
  } catch {
    return false;
  } finally {
    process.off("SIGINT", ignore);
  }
}
