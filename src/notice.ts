import type { Sink } from "./io.ts";

/** One line of toolout's own on stderr; never on stdout, which is data only. */
export function notice(stderr: Sink, text: string): void {
  stderr.write(`toolout: ${text}\n`);
}
