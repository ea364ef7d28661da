/**
 * When Node ends it sets its terminals back to the modes they had when it started (node.cc, ResetStdio), which undoes what
 * the command did to them (`stty -echo`). It leaves out those that are closed by then.
 */
import { closeSync } from "node:fs";
import { isTerminal } from "../stream/terminal.ts";

/** To be called last: nothing can be printed on a terminal afterwards. */
export function leaveTerminals(): void {
  for (const fd of [0, 1, 2]) if (isTerminal(fd)) closeSync(fd);
}
