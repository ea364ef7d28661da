import { Failure, reason } from "../errors.ts";
import { readAt } from "../store/file.ts";

/** Bytes that can be read at any place: a stored output or a file. */
export interface ByteSource {
  /** Bytes there are; what was appended to a file since it was opened does not count. */
  readonly size: number;
  /**
   * The bytes from `offset`, `length` of them or fewer at the end.
   * @param into Where to put them, when the caller reads often; what is returned is a view of it.
   * @throws Failure "io"
   */
  read(offset: number, length: number, into?: Buffer): Buffer;
}

/** The bytes behind a descriptor, which stays the caller's to close. `name` is for messages. */
export function descriptorSource(fd: number, size: number, name: string): ByteSource {
  return {
    size,
    read(offset, length, into) {
      const wanted = Math.max(0, Math.min(length, size - offset));
      return readPiece(fd, (into ?? Buffer.allocUnsafe(wanted)).subarray(0, wanted), offset, name);
    },
  };
}

export function memorySource(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

/** Fills the bytes from a place in the file on; fewer come back where the file ends. */
export function readPiece(fd: number, bytes: Buffer, offset: number, name: string): Buffer {
  try {
    return readAt(fd, bytes, offset);
  } catch (error) {
    throw new Failure("io", `cannot read ${name}: ${reason(error)}`, { cause: error });
  }
}
