/**
 * The descriptors above 2 that toolout was started with (`3>file`, make's jobserver, `<(…)`), which the command gets too.
 * Node marks all it finds at its start FD_CLOEXEC, and opens some of its own among them: those have to be told apart.
 */
import { readdirSync, readlinkSync } from "node:fs";
import { accessMode, nonBlocking, openFlags } from "./open-flags.ts";

export interface Descriptor {
  readonly fd: number;
  /** What readlink(2) shows of it under /proc/self/fd, such as `pipe:[123]`. */
  readonly target: string;
}

/** libuv marks descriptors until it meets a number above this that is not open (uv_disable_stdio_inheritance). */
const lastLookedAt = 15;

/**
 * Those that Node would keep from the command, ascending; none where there is no /proc. To be asked before toolout
 * opens anything that stays open, and once.
 */
export function inheritedDescriptors(): number[] {
  const found = listDescriptors();
  const own = new Set(nodesOwn(found, (fd) => openFlags(fd) ?? 0));
  return found.filter((one) => !own.has(one)).map(({ fd }) => fd);
}

/**
 * What Node and libuv have opened at their start: epoll, eventfd and io_uring (never a file somebody passes on), pipes with
 * both ends here that do not block (signals), and one that does (libuv's lock around signals).
 * `found` is ascending, as is the order in which libuv opens its own; `flagsOf` gives the flags of open(2).
 */
export function nodesOwn(found: readonly Descriptor[], flagsOf: (fd: number) => number): Descriptor[] {
  const anonymous = found.filter(({ target }) => /^anon_inode:\[(eventpoll|eventfd|io_uring)\]$/.test(target));
  const flags = new Map(pipePairs(found).flatMap((pair) => pair.map(({ fd }) => [fd, flagsOf(fd)])));
  const every = (pair: Pair, holds: (flag: number, end: number) => boolean) =>
    pair.every(({ fd }, end) => holds(flags.get(fd) ?? 0, end));
  const pairs = pipePairs(found).filter((pair) => every(pair, (flag, end) => (flag & accessMode) === end)); // read, write
  const signalPipes = pairs.filter((pair) => every(pair, (flag) => (flag & nonBlocking) !== 0));
  const blocking = pairs.filter((pair) => every(pair, (flag) => (flag & nonBlocking) === 0));
  const lock = lockPipe(blocking, signalPipes);
  return [...anonymous, ...signalPipes.flat(), ...lock];
}

type Pair = readonly [Descriptor, Descriptor];

/** Pipes of which exactly two ends are here. */
function pipePairs(found: readonly Descriptor[]): Pair[] {
  const byTarget = new Map<string, Descriptor[]>();
  for (const one of found) {
    if (one.target.startsWith("pipe:")) byTarget.set(one.target, [...(byTarget.get(one.target) ?? []), one]);
  }
  return [...byTarget.values()].filter((ends): ends is [Descriptor, Descriptor] => ends.length === 2);
}

/**
 * The pair that libuv makes just before its first signal pipe: blocking, below it, and of the inode number before.
 * A jobserver's pipe is a blocking pair as well, but another process made it, some time ago.
 */
function lockPipe(blocking: readonly Pair[], signalPipes: readonly Pair[]): readonly Descriptor[] {
  const neighbours = blocking.flatMap((lock) => {
    const above = signalPipes.filter((pair) => pair[0].fd > lock[1].fd);
    return above.map((pair) => ({ lock, distance: Math.abs(inodeOf(pair) - inodeOf(lock)) }));
  });
  return neighbours.sort((a, b) => a.distance - b.distance)[0]?.lock ?? [];
}

function inodeOf([{ target }]: Pair): number {
  return Number(/\d+/.exec(target)?.[0]);
}

/** Those that libuv has marked: the others stay open in the command by themselves. */
function listDescriptors(): Descriptor[] {
  let open: Set<number>;
  try {
    open = new Set(readdirSync("/proc/self/fd").map(Number));
  } catch {
    return [];
  }
  const found: Descriptor[] = [];
  for (let fd = 3; fd <= lastLookedAt || open.has(fd); fd += 1) {
    const target = open.has(fd) ? targetOf(fd) : null;
    if (target !== null) found.push({ fd, target });
  }
  return found;
}

/** Null for the descriptor that listed the directory, closed since. */
function targetOf(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}
