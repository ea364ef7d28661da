import { sleep } from "./sleep.ts";
import { type ProcessIdentity, signalAll } from "./tree.ts";

const pollMs = 25;
/** After SIGKILL the kernel may need a moment, but a process that waits for a dead disk is not waited for. */
export const killedMs = 1_000;

/**
 * Ends a command and all that it started: SIGTERM, and SIGKILL for what is left at `killAtMs`, which may come to be sooner.
 * @param find What is left of the tree; `known` are those of it that were told, whose parents may have ended since.
 * @param killAtMs On the clock of `performance.now`.
 */
export async function stopTree(
  find: (known: readonly ProcessIdentity[]) => ProcessIdentity[],
  killAtMs: () => number,
): Promise<void> {
  const told: ProcessIdentity[] = [];
  // One look at /proc is not one moment: what a process starts and leaves during it is only seen by the next.
  for (let isEmpty = false; ; await sleep(pollMs)) {
    const tree = find(told);
    if (tree.length === 0 && isEmpty) return;
    isEmpty = tree.length === 0;
    const overdueMs = performance.now() - killAtMs();
    if (overdueMs >= killedMs) return;
    const news = tree.filter(
      ({ pid, startTime }) => !told.some((one) => one.pid === pid && one.startTime === startTime),
    );
    told.push(...news);
    if (overdueMs >= 0) signalAll(tree, "SIGKILL");
    else {
      signalAll(news, "SIGTERM");
      signalAll(news, "SIGCONT"); // a stopped process takes SIGTERM only once it goes on
    }
  }
}
