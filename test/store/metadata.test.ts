import fc from "fast-check";
import { expect, test } from "vitest";
import { formatRecord, type OutputRecord, parseRecord } from "../../src/store/metadata.ts";
import { uriOf } from "../../src/store/reference.ts";

const id = "0123456789abABCDEFGHIJKLMN";
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });

const records: fc.Arbitrary<OutputRecord> = fc.record(
  {
    version: fc.constant(1 as const),
    id: fc.constant(id),
    uri: fc.constant(uriOf(id)),
    sessionID: fc.option(hex(64)),
    toolCallID: fc.option(fc.string()),
    mime: fc.string(),
    name: fc.string({ unit: "binary" }),
    size: fc.maxSafeNat(),
    created: fc.maxSafeNat(),
    lines: fc.maxSafeNat(),
    bytes: fc.maxSafeNat(),
    complete: fc.boolean(),
    crc32: hex(8),
    exitCode: fc.option(fc.integer()),
    signal: fc.option(fc.constant("SIGTERM")),
    redacted: fc.nat(),
    command: fc.array(fc.string()),
  },
  {
    requiredKeys: [
      "version",
      "id",
      "uri",
      "sessionID",
      "toolCallID",
      "mime",
      "name",
      "size",
      "created",
      "lines",
      "bytes",
      "complete",
      "crc32",
      "exitCode",
      "signal",
    ],
  },
);

test("a record that was written is read as it was", () => {
  fc.assert(
    fc.property(records, (record) => {
      expect(parseRecord(formatRecord(record), id)).toEqual(record);
    }),
    { numRuns: 3000 },
  );
});

test("a record with a field missing or of another kind is none", () => {
  fc.assert(
    fc.property(records, fc.nat(), fc.constantFrom(undefined, {}, Number.NaN, -0.5), (record, seed, wrong) => {
      const keys = Object.keys(record).filter((key) => key !== "command" && key !== "redacted");
      const key = keys[seed % keys.length] as string;
      fc.pre(
        !(key === "created" && wrong === -0.5) &&
          !(
            wrong !== undefined &&
            Number.isNaN(wrong) &&
            ["sessionID", "toolCallID", "exitCode", "signal"].includes(key)
          ),
      );
      expect(parseRecord(JSON.stringify({ ...record, [key]: wrong }), id)).toBeUndefined();
    }),
    { numRuns: 2000 },
  );
});

test("a record cut anywhere is none", () => {
  fc.assert(
    fc.property(records, fc.nat(), (record, seed) => {
      const text = formatRecord(record).trimEnd();
      expect(parseRecord(text.slice(0, seed % text.length), id)).toBeUndefined();
    }),
    { numRuns: 2000 },
  );
});

const record = fc.sample(records, 1)[0] as OutputRecord;

test("fields of a later version are tolerated and left out", () => {
  const text = JSON.stringify({ ...record, later: 3, constructor: 1 }).replace("{", '{"__proto__":{"name":1},');
  expect(parseRecord(text, id)).toEqual(record);
});

test.each(["", "null", "[]", '"x"', "{}", "{", "7"])("%j is no record", (text) => {
  expect(parseRecord(text, id)).toBeUndefined();
});

test("a record under another name is none", () => {
  expect(parseRecord(formatRecord(record), id.replace("N", "O"))).toBeUndefined();
  expect(parseRecord(formatRecord({ ...record, uri: "tool-output://x" }), id)).toBeUndefined();
});
