import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { hasCode } from "../errors.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Opens a new file of mode 0600, whatever the umask, for writing; throws what the system says. */
export function createPrivateFile(path: string): number {
  const fd = openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
  try {
    fchmodSync(fd, 0o600);
  } catch (error) {
    closeSync(fd);
    unlinkSync(path);
    throw error;
  }
  return fd;
}

/** Writes all of the bytes, at `position` or where the last write ended. Throws what the system says. */
export function writeFully(fd: number, bytes: Uint8Array, position: number | null = null): void {
  let done = 0;
  while (done < bytes.length) {
    done += writeSome(fd, bytes.subarray(done), position === null ? null : position + done);
  }
}

/** One write(2), which may take fewer bytes than it was given (POSIX), also none. Throws what the system says. */
export function writeSome(fd: number, bytes: Uint8Array, position: number | null = null): number {
  try {
    return writeSync(fd, bytes, 0, bytes.length, position);
  } catch (error) {
    if (hasCode(error, "EINTR", "EAGAIN")) return 0;
    throw error;
  }
}

/**
 * Opens a regular file of this user's for reading; undefined for anything else in its place: a link is not followed, and
 * without O_NONBLOCK opening a FIFO would wait for a writer (open(2)). Throws what the system says.
 */
export function openRegularFile(path: string): number | undefined {
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, "ELOOP", "ENXIO")) return undefined;
    throw error;
  }
  const stats = fstatSync(fd);
  if (stats.isFile() && isTrusted(stats)) return fd;
  closeSync(fd);
  return undefined;
}

/** Nobody else's file is believed; root, who looks after all stores, may read each. */
function isTrusted({ uid }: Stats): boolean {
  const user = process.geteuid?.();
  return user === 0 || uid === user;
}

/** The content of a regular file of at most `mostBytes` bytes; undefined for anything else. Throws what the system says. */
export function readRegularFile(path: string, mostBytes: number): Buffer | undefined {
  const fd = openRegularFile(path);
  if (fd === undefined) return undefined;
  try {
    const { size } = fstatSync(fd);
    return size > mostBytes ? undefined : readAt(fd, Buffer.allocUnsafe(size), 0);
  } finally {
    closeSync(fd);
  }
}

/** Fills the buffer from `offset` in the file on; a shorter one comes back at the end of the file. */
export function readAt(fd: number, buffer: Buffer, offset: number): Buffer {
  let done = 0;
  while (done < buffer.length) {
    const bytes = readSync(fd, buffer, done, buffer.length - done, offset + done);
    if (bytes === 0) break;
    done += bytes;
  }
  return buffer.subarray(0, done);
}
