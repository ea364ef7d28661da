import fc from "fast-check";
import { expect, it } from "vitest";
import { Ring } from "../../src/capture/ring.ts";
import { chunkSizes, cutUp } from "../arbitraries.ts";

it("keeps exactly the last bytes, however they came", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 3000 }),
      chunkSizes,
      fc.integer({ min: 1, max: 2000 }),
      (bytes, sizes, capacity) => {
        const ring = new Ring(capacity);
        for (const chunk of cutUp(Buffer.from(bytes), sizes)) ring.push(chunk);
        expect(ring.toBuffer().equals(Buffer.from(bytes).subarray(-capacity))).toBe(true);
      },
    ),
    { numRuns: 3000 },
  );
});

it("grows to its capacity only with what it is given", () => {
  const ring = new Ring(200_000);
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
  for (const chunk of cutUp(bytes, [1, 40_000, 65_536, 3])) ring.push(chunk);
  expect(ring.toBuffer().equals(bytes.subarray(-200_000))).toBe(true);
});
