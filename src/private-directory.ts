import { chmodSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Failure, hasCode, reason } from "./errors.ts";

/**
 * Makes the directory and what is missing above it, mode 0700 whatever the umask; those that exist stay as they are.
 * `recursive: true` would spin for ever where a directory exists that can hold none, as /proc (nodejs/node#27198).
 * @throws Failure "io"
 */
export function makePrivateDirectory(path: string): void {
  try {
    makeWithParents(path);
  } catch (error) {
    const { path: place = path } = error as NodeJS.ErrnoException;
    throw new Failure("io", `cannot make the directory ${place}: ${reason(error)}`, { cause: error });
  }
}

/**
 * The same for a directory that holds nothing but what is toolout's: one of ours that others may look into, since something
 * else made it, is closed to them. Names of stored outputs are their business as little as the bytes.
 * @throws Failure "io"
 */
export function makeClosedDirectory(path: string): void {
  makePrivateDirectory(path);
  try {
    const stats = lstatSync(path); // what a link leads to may serve others too
    const isOpen = (stats.mode & 0o077) !== 0;
    if (stats.isDirectory() && stats.uid === process.geteuid?.() && isOpen) chmodSync(path, 0o700);
  } catch {
    // A file system without modes: the files in it are as private as it makes them.
  }
}

function makeWithParents(path: string): void {
  try {
    make(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT") || dirname(path) === path) throw error;
    makeWithParents(dirname(path));
    make(path);
  }
}

function make(path: string): void {
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    requireDirectory(path);
    return;
  }
  chmodSync(path, 0o700);
}

/** A link that leads to a directory will do: people move their data to other disks. */
function requireDirectory(path: string): void {
  let isDirectory = false;
  try {
    isDirectory = statSync(path).isDirectory();
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error; // else a link that leads nowhere
  }
  if (!isDirectory) throw Object.assign(new Error("not a directory"), { code: "ENOTDIR", path });
}
