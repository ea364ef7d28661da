import { fstatSync } from "node:fs";

/** Linux's major number of memory devices, /dev/null among them (Documentation/admin-guide/devices.txt). */
const memoryDevices = 1;

/**
 * Whether the descriptor is a terminal. node:tty takes long to load, and only a character device can be one; /dev/null, the
 * most frequent of those, is not.
 */
export function isTerminal(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    if (!stats.isCharacterDevice()) return false;
    if (process.platform === "linux" && stats.rdev >> 8 === memoryDevices) return false;
    return process.getBuiltinModule("node:tty").isatty(fd);
  } catch {
    return false;
  }
}
