/**
 * Node sets every signal back to its default when it starts, so that what nohup(1) did is lost. At a terminal nohup(1) of
 * coreutils leaves a mark, though: it opens /dev/null as stdin for writing only, which nobody else has a use for. The
 * command is then run by nohup once more; with its output in a pipe it does nothing but ignore SIGHUP.
 */
import { fstatSync } from "node:fs";
import { accessMode, openFlags, writeOnly } from "./open-flags.ts";

/** Linux's number of /dev/null: 1, 3 (Documentation/admin-guide/devices.txt). */
const nullDevice = 0x103;

/** Whether toolout was started by nohup(1) at a terminal; false where there is no /proc. */
export function isUnderNohup(stdin: number): boolean {
  try {
    return fstatSync(stdin).rdev === nullDevice && ((openFlags(stdin) ?? 0) & accessMode) === writeOnly;
  } catch {
    return false;
  }
}
