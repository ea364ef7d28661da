import fc from "fast-check";
import { type ByteSource, memorySource } from "../../src/reading/source.ts";

const odd = [0x80, 0xbf, 0xc2, 0xe2, 0x82, 0xac, 0xed, 0xf0, 0x9f, 0xf4, 0xff, 0x0a];

/** Bytes that are UTF-8, almost UTF-8 or anything. */
export const anyBytes = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }).map((text) => Buffer.from(text)),
  fc
    .array(
      fc.oneof(
        fc.constantFrom("a", "\n", "é", "€", "🌑").map((text) => [...Buffer.from(text)]),
        fc.constantFrom(...odd).map((byte) => [byte]),
      ),
      { maxLength: 60 },
    )
    .map((parts) => Buffer.from(parts.flat())),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

/** A source that notes how it is read. */
export function countingSource(bytes: Buffer): ByteSource & { readonly lengths: number[] } {
  const source = memorySource(bytes);
  const lengths: number[] = [];
  const read = (offset: number, length: number) => {
    lengths.push(length);
    return source.read(offset, length);
  };
  return { size: bytes.length, lengths, read };
}
