import type { Sink } from "./io.ts";
import { visible } from "./text/visible.ts";

/** One line of toolout's own on stderr; never on stdout, which is data only. */
export function notice(stderr: Sink, text: string): void {
  stderr.write(`toolout: ${visible(text)}\n`);
}
