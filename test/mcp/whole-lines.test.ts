import fc from "fast-check";
import { expect, it } from "vitest";
import { WholeLines } from "../../src/mcp/whole-lines.ts";

const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 9 }), { maxLength: 12 });

it("hands on every byte, in its order, by whole lines", () => {
  fc.assert(
    fc.property(pieces, (texts) => {
      const lines = new WholeLines(1000);
      const taken = texts.map((text) => lines.take(Buffer.from(text))).filter((bytes) => bytes !== null);
      for (const bytes of taken) expect(bytes.at(-1)).toBe(0x0a);
      const rest = lines.end();
      expect(Buffer.concat([...taken, rest]).toString()).toBe(texts.join(""));
      expect(rest.includes(0x0a)).toBe(false);
    }),
  );
});

it("does not hold back more than it may", () => {
  const lines = new WholeLines(10);
  expect(lines.take(Buffer.from("12345"))).toBeNull();
  expect(lines.take(Buffer.from("1234567"))?.toString()).toBe("123451234567");
  expect(lines.take(Buffer.from("12345"))).toBeNull();
});
