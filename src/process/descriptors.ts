/**
 * The descriptors above 2 that toolout was started with (`3>file`, make's jobserver, `<(…)`), which the command gets too.
 * Node marks all it finds at its start FD_CLOEXEC, and opens some of its own among them: those have to be told apart.
 */
import { readdirSync, readlinkSync } from "node:fs";
import { accessMode, closeOnExec, nonBlocking, openFlags } from "./open-flags.ts";

export interface Descriptor {
  readonly fd: number;
  /** What readlink(2) shows of it under /proc/self/fd, such as `pipe:[123]`. */
  readonly target: string;
  /** The flags of open(2). */
  readonly flags: number;
}

/**
 * Those that Node would keep from the command, ascending; none where there is no /proc. To be asked before toolout
 * opens anything that stays open.
 */
export function inheritedDescriptors(): number[] {
  const found = listDescriptors().filter(({ flags }) => (flags & closeOnExec) !== 0);
  const own = new Set(nodesOwn(found));
  return found.filter((one) => !own.has(one)).map(({ fd }) => fd);
}

/**
 * What Node and libuv have opened at their start: epoll, eventfd and io_uring (never a file somebody passes on), pipes with
 * both ends here that do not block (signals), and one that does (libuv's lock around signals).
 * `found` is ascending, as is the order in which libuv opens its own.
 */
export function nodesOwn(found: readonly Descriptor[]): Descriptor[] {
  const anonymous = found.filter(({ target }) => /^anon_inode:\[(eventpoll|eventfd|io_uring)\]$/.test(target));
  const pairs = pipePairs(found);
  const signalPipes = pairs.filter((pair) => pair.every(({ flags }) => (flags & nonBlocking) !== 0));
  const lock = lockPipe(pairs, signalPipes[0]);
  return [...anonymous, ...signalPipes.flat(), ...lock];
}

type Pair = readonly [Descriptor, Descriptor];

/** Pipes with exactly one reading and one writing end here. */
function pipePairs(found: readonly Descriptor[]): Pair[] {
  const byTarget = new Map<string, Descriptor[]>();
  for (const one of found) {
    if (one.target.startsWith("pipe:")) byTarget.set(one.target, [...(byTarget.get(one.target) ?? []), one]);
  }
  return [...byTarget.values()].filter((ends): ends is [Descriptor, Descriptor] => {
    return ends.length === 2 && ends.every(({ flags }, i) => (flags & accessMode) === i);
  });
}

/**
 * The pair that libuv makes just before its first signal pipe: blocking, below it, and of a neighbouring inode number.
 * A jobserver's pipe is a blocking pair as well, but another process made it, some time ago.
 */
function lockPipe(pairs: readonly Pair[], signalPipe: Pair | undefined): readonly Descriptor[] {
  if (signalPipe === undefined) return [];
  const distance = (pair: Pair) => Math.abs(inodeOf(pair) - inodeOf(signalPipe));
  const before = pairs.filter(
    (pair) => pair[1].fd < signalPipe[0].fd && pair.every(({ flags }) => (flags & nonBlocking) === 0),
  );
  return before.sort((a, b) => distance(a) - distance(b))[0] ?? [];
}

function inodeOf([{ target }]: Pair): number {
  return Number(/\d+/.exec(target)?.[0]);
}

function listDescriptors(): Descriptor[] {
  let names: string[];
  try {
    names = readdirSync("/proc/self/fd");
  } catch {
    return [];
  }
  const numbers = names.map(Number).filter((fd) => fd > 2);
  return numbers
    .sort((a, b) => a - b)
    .map(describe)
    .filter((one) => one !== null);
}

/** Null for the descriptor that listed the directory, closed since. */
function describe(fd: number): Descriptor | null {
  const flags = openFlags(fd);
  try {
    return flags === null ? null : { fd, flags, target: readlinkSync(`/proc/self/fd/${fd}`) };
  } catch {
    return null;
  }
}
