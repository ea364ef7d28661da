import { fstatSync } from "node:fs";

/** Whether the descriptor is a terminal. node:tty takes long to load, and only a character device can be one. */
export function isTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(fd);
  } catch {
    return false;
  }
}
