import type { Source } from "./reading.ts";

/** Silence that ends the wait for the end of an input, and the longest wait for one that never falls silent. */
const idleMs = 250;
const hardMs = 2_000;
const pollMs = 25;

/**
 * Ends a source whose end may never come (a background process holds the pipe): it takes what still comes, until the
 * source falls silent or has taken too long. Time in which a slow reader holds it up does not count. What was written
 * before that is never lost: the source reads what is in the pipe before it closes.
 */
export function finishWhenSilent(source: Source): void {
  const start = performance.now();
  let activeMs = 0;
  let last = start;
  const look = () => {
    const now = performance.now();
    if (!source.isPaused) activeMs += now - last;
    last = now;
    const silentMs = now - Math.max(source.lastActivityMs, start);
    if (!source.isPaused && (silentMs >= idleMs || activeMs >= hardMs)) source.finish();
  };
  const timer = setInterval(look, pollMs);
  source.ended.then(() => clearInterval(timer));
}
