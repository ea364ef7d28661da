import fc from "fast-check";
import type { PreviewLimits } from "../src/preview/shares.ts";

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }) },
  { weight: 4, arbitrary: fc.constantFrom("\n", "\r\n", "\r", "\n\n") },
  { weight: 1, arbitrary: fc.constantFrom("\u{1f7e1}", "\u4e2d\u6587", "\u00e9").map((text) => text.repeat(60)) },
  { weight: 1, arbitrary: fc.constantFrom("x", "ab\n", "y\r\n").map((text) => text.repeat(400)) },
);

/** Outputs of a few KB: short and endless lines, CRLF, wide characters, bytes that are no text. */
export const outputs: fc.Arbitrary<Buffer> = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: piece.map((text) => Buffer.from(text)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)) },
    ),
    { maxLength: 60 },
  )
  .map((parts) => Buffer.concat(parts));

export const previewLimits: fc.Arbitrary<PreviewLimits> = fc.record({
  maxLines: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 13, max: 400 })),
  maxBytes: fc.oneof(fc.integer({ min: 1024, max: 1400 }), fc.integer({ min: 1401, max: 5000 })),
  maxUnits: fc.option(fc.integer({ min: 1000, max: 2500 }), { nil: undefined }),
  headPercent: fc.oneof(fc.constantFrom(0, 1, 50, 99, 100), fc.integer({ min: 0, max: 100 })),
});

/** Cuts bytes into pieces of these sizes, over and over. */
export function cutUp(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

export const chunkSizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 3000 })), {
  minLength: 1,
  maxLength: 5,
});
