import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { excerptOf } from "../../src/jobs/excerpt.ts";
import type { JobRecord } from "../../src/jobs/record.ts";

const output = { id: "24fe7eecc000OBEjKVqWshhbTn", sessionID: null, toolCallID: null, name: "output" };
const job = { bytes: null, complete: null, output } as JobRecord;
const limits = { maxLines: 10, maxBytes: 1024, maxUnits: undefined, headPercent: 50 };

const texts = fc
  .array(fc.string({ unit: "binary", maxLength: 60 }), { maxLength: 60 })
  .map((lines) => Buffer.from(lines.join("\n")));

it("is inside the limits wherever it begins, and goes on where it ended", () => {
  fc.assert(
    fc.property(texts, fc.nat(4000), (bytes, since) => {
      const { content, offset, next, omitted } = excerptIn(bytes, since);
      expect(content.length).toBeLessThanOrEqual(limits.maxBytes);
      expect(content.toString("latin1").split("\n").length - 1).toBeLessThanOrEqual(limits.maxLines);
      expect(next).toBe(bytes.length);
      if (omitted === null) expect(content.equals(bytes.subarray(offset))).toBe(true);
      expect(offset).toBeGreaterThanOrEqual(Math.min(since, bytes.length));
      expect(offset).toBeLessThan(Math.min(since, bytes.length) + 4);
    }),
  );
});

it("without an offset ends with the end of the output, whatever its length", () => {
  fc.assert(
    fc.property(texts, (bytes) => {
      const { content, omitted } = excerptIn(bytes, undefined);
      const tail = omitted === null ? content : content.subarray(content.lastIndexOf(" omitted; next: "));
      const shown = omitted === null ? tail : tail.subarray(tail.indexOf(" ...\n\n") + " ...\n\n".length);
      expect(bytes.subarray(bytes.length - shown.length).equals(shown)).toBe(true);
    }),
  );
});

function excerptIn(bytes: Buffer, since: number | undefined) {
  const directory = mkdtempSync(join(tmpdir(), "toolout-excerpt-"));
  const path = join(directory, "output");
  writeFileSync(path, bytes);
  const fd = openSync(path, "r");
  try {
    return excerptOf({ fd, size: bytes.length, close() {} }, job, since, limits);
  } finally {
    closeSync(fd);
    rmSync(directory, { recursive: true });
  }
}
