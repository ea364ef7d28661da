import { readAt } from "./file.ts";

const pieceBytes = 1024 * 1024;

/** The CRC-32 of the first `size` bytes of a file, read piece by piece. Throws what the system says. */
export function checksumOf(fd: number, size: number): string {
  const buffer = Buffer.allocUnsafe(Math.min(size, pieceBytes));
  const { crc32 } = process.getBuiltinModule("node:zlib"); // not needed for a page of a large output
  let sum = 0;
  for (let offset = 0; offset < size; offset += pieceBytes) {
    sum = crc32(readAt(fd, buffer.subarray(0, Math.min(pieceBytes, size - offset)), offset), sum);
  }
  return formatChecksum(sum);
}

/** As records hold it: 8 hex digits. */
export function formatChecksum(sum: number): string {
  return sum.toString(16).padStart(8, "0");
}
