/** Paired wall times: A B A B … in one run, since only ratios of the same minutes mean something on a shared machine. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** From this spread (the quartiles of the peer's times, over their median) on a machine is called noisy. */
const noisySpread = 0.25;

/**
 * Times two commands in turn, which end with `status`. `between` runs after each pair, untimed.
 * @returns Medians in ms, the median and the quartiles of the ratios A / B, and whether the machine was noisy.
 */
export function measurePair({ a, b, runs, env, status, between }) {
  const pairs = [];
  for (let i = -1; i < runs; i += 1) {
    const pair = [timeMs(a, env, status), timeMs(b, env, status)];
    if (i >= 0) pairs.push(pair); // the first warms the caches
    if (between) between();
  }
  const [own, peer] = [0, 1].map((side) => sorted(pairs.map((pair) => pair[side])));
  const ratios = sorted(pairs.map(([one, other]) => one / other));
  const isNoisy = (quantile(peer, 0.75) - quantile(peer, 0.25)) / quantile(peer, 0.5) > noisySpread;
  return {
    ownMs: quantile(own, 0.5),
    peerMs: quantile(peer, 0.5),
    ratio: quantile(ratios, 0.5),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    isNoisy,
  };
}

/** Peak resident memory of one run, in MiB, of its largest process (getrusage(2), as GNU time tells it). */
export function peakMiB(command, env) {
  const { status, stderr } = spawnSync("/usr/bin/env", ["time", "-f", "peak %M", ...command], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  const peak = /peak (\d+)\s*$/.exec(stderr ?? "")?.[1];
  return status !== null && peak !== undefined ? Number(peak) / 1024 : null;
}

/** Load of the last minute (proc(5)); null elsewhere than on Linux. */
export function load() {
  try {
    return readFileSync("/proc/loadavg", "utf8").split(" ")[0];
  } catch {
    return null;
  }
}

function timeMs([file, ...args], env, wanted) {
  const start = performance.now();
  const { status, error, stderr } = spawnSync(file, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const ms = performance.now() - start;
  if (error || status !== wanted) throw error ?? new Error(`${file} ${args.join(" ")} ended with ${status}: ${stderr}`);
  return ms;
}

function sorted(values) {
  return [...values].sort((x, y) => x - y);
}

/** Of sorted values, the nearest one. */
function quantile(values, share) {
  return values[Math.round((values.length - 1) * share)];
}
