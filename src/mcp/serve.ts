/** `toolout mcp`: serves until its input ends or a signal comes, and takes with it what it still runs. */
import { PassThrough, Writable } from "node:stream";
import type { Sink } from "../io.ts";
import { catchSignals } from "../process/signals.ts";
import { readDescriptor } from "../stream/source.ts";
import { McpServer, mostMessageBytes } from "./server.ts";
import type { Host } from "./tool.ts";
import { WholeLines } from "./whole-lines.ts";

/** The exit status 0 at the end of the input, or the signal that toolout should die of. */
export async function serveMcp(host: Host): Promise<number | NodeJS.Signals> {
  const { stdin, stdout } = host.io;
  let endedBy: NodeJS.Signals | undefined;
  const ending = new AbortController();
  const input = new PassThrough();
  const lines = new WholeLines(mostMessageBytes);
  const source = readDescriptor(stdin, (bytes) => {
    const whole = lines.take(bytes);
    const isFull = whole !== null && !input.write(whole);
    return isFull ? new Promise((resolve) => input.once("drain", resolve)) : undefined;
  });
  const release = catchSignals(["SIGINT", "SIGTERM", "SIGHUP"], (signal) => {
    endedBy ??= signal;
    source.close();
  });
  try {
    stdout.onGone(() => source.close());
    const server = new McpServer(host, ending.signal);
    await server.listen(input, writableTo(stdout), () => source.close());
    await source.ended;
    await new Promise<void>((resolve) => input.end(lines.end(), resolve)); // what came before the end is taken first
    ending.abort();
    await server.settled();
    await stdout.drained();
    return endedBy ?? 0;
  } finally {
    release();
  }
}

const highWaterBytes = 1_048_576;

function writableTo(sink: Sink): Writable {
  return new Writable({
    write(bytes: Buffer, _encoding, done) {
      sink.write(bytes);
      sink.drained(highWaterBytes).then(() => done(), done);
    },
  });
}
