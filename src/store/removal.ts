import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { Failure, hasCode, reason } from "../errors.ts";

/**
 * Unlinks the files of one output, never what a link leads to. The first is the claim: whoever unlinks it does the
 * removal, so that of a gc, an rm and a writer about to commit only one has its way.
 * @returns false when another was first.
 * @throws Failure "io"
 */
export function removeFiles(managed: string, names: readonly string[]): boolean {
  return names.every((name, i) => removeFile(join(managed, name)) || i > 0);
}

function removeFile(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw new Failure("io", `cannot remove ${path}: ${reason(error)}`, { cause: error });
  }
}
