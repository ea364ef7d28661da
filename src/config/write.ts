/** Writing config.json and the settings of agents: aside, then renamed, so that a reader, or a crash, sees the old file or the new one. */

import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Failure, hasCode, reason } from "../errors.ts";
import { makePrivateDirectory } from "../private-directory.ts";
import type { ConfigValues } from "./values.ts";

/** @throws Failure "io" as `writeWhole` */
export function writeConfig(path: string, values: ConfigValues): void {
  writeWhole(path, `${JSON.stringify(values, null, 2)}\n`);
}

/**
 * Replaces the file as a whole, and makes its directory where it is missing. A link stays a link, and what it leads to
 * is replaced; mode and owner are those of the file before, or 0600 and the user.
 * @throws Failure "io" when the disk refuses; the file is then as it was.
 */
export function writeWhole(path: string, text: string): void {
  try {
    makePrivateDirectory(dirname(path));
    const target = followLinks(path);
    replaceFile(target, text, statSync(target, { throwIfNoEntry: false }));
  } catch (error) {
    throw new Failure("io", `${path} cannot be written: ${reason((error as Error).cause ?? error)}`, { cause: error });
  }
}

function replaceFile(target: string, text: string, before: Stats | undefined): void {
  const aside = `${target}.${process.pid}-${Date.now().toString(36)}`;
  const descriptor = openSync(aside, "wx", 0o600);
  try {
    try {
      writeFileSync(descriptor, text);
      if (before) keepOwner(descriptor, before);
      fchmodSync(descriptor, before ? before.mode & 0o777 : 0o600);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(aside, target);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/** Without this, `sudo toolout config set` would take the file away from its owner. */
function keepOwner(descriptor: number, { uid, gid }: Stats): void {
  try {
    fchownSync(descriptor, uid, gid);
  } catch (error) {
    if (!hasCode(error, "EPERM")) throw error;
  }
}

/** The path behind a chain of links, its last file existing or not; a link's `..` counts from where the link really is. */
function followLinks(path: string): string {
  let at = path;
  // 40 is where Linux gives up too: path_resolution(7).
  for (let hops = 0; hops < 40; hops += 1) {
    const directory = realpathSync(dirname(at));
    try {
      at = resolve(directory, readlinkSync(at));
    } catch (error) {
      if (hasCode(error, "EINVAL", "ENOENT")) return join(directory, basename(at));
      throw error;
    }
  }
  throw new Error("too many symbolic links");
}
