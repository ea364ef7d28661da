import type { Environment, Io, Sink } from "../../src/io.ts";

/** An Io that keeps what is written. */
export function memoryIo(env: Environment, isTerminal = false) {
  const written = { out: Buffer.alloc(0), err: Buffer.alloc(0) };
  const sink = (name: "out" | "err"): Sink => ({
    fd: null,
    isTerminal,
    isPipe: false,
    pendingBytes: 0,
    isClosed: false,
    fault: null,
    write(data) {
      written[name] = Buffer.concat([written[name], Buffer.from(data)]);
    },
    drained: () => Promise.resolve(),
    onGone() {},
  });
  const io: Io = { env, stdin: 0, inherited: () => [], stdout: sink("out"), stderr: sink("err"), now: () => 0 };
  return { io, written };
}
