import { chmodSync, openSync, truncateSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyOutputs } from "../../src/store/verify.ts";
import { beginOutput } from "../../src/store/write.ts";
import { asOther, factsOf, namesIn, store, temporaryDirectory } from "./fixture.ts";

test("every output is read, of all sessions, and each damage is told", () => {
  const data = temporaryDirectory();
  const spoilers: Record<string, (path: (ending: string) => string) => void> = {
    "its payload does not match the checksum": (path) => writeFileSync(path("txt"), "tEXT"),
    "its payload has 1 bytes, not 4": (path) => truncateSync(path("txt"), 1),
    "its payload is missing": (path) => unlinkSync(path("txt")),
    "its metadata is no record of it": (path) => writeFileSync(path("json"), "{"),
  };
  store(data, "sound", { session: "a" });
  const expected = Object.entries(spoilers).map(([what, spoil]) => {
    const { id, uri } = store(data, "text", { session: "b" });
    spoil((ending) => join(data, "managed", `${id}.${ending}`));
    return { uri, message: `${uri} is damaged: ${what}` };
  });
  const { sound, damaged, failures } = verifyOutputs(data);
  expect([sound, failures]).toEqual([1, []]);
  expect([...damaged].sort((a, b) => (a.uri < b.uri ? -1 : 1))).toEqual(expected);
});

test("one byte in the middle of a large payload is found", () => {
  const data = temporaryDirectory();
  const bytes = 9 * 1024 * 1024 + 1;
  const writer = beginOutput(data, bytes);
  writer.write(Buffer.alloc(bytes, "text\n"));
  writer.commit(factsOf(bytes));
  expect(verifyOutputs(data)).toEqual({ sound: 1, damaged: [], failures: [] });
  writeSync(openSync(join(data, "managed", `${writer.id}.txt`), "r+"), "X", 5_000_000);
  expect(verifyOutputs(data).damaged).toHaveLength(1);
});

test("what is being written or was given up is no stored output; an empty store is sound", () => {
  const data = temporaryDirectory();
  expect(verifyOutputs(join(data, "none"))).toEqual({ sound: 0, damaged: [], failures: [] });
  beginOutput(data, 10).write(Buffer.from("text"));
  expect(verifyOutputs(data)).toEqual({ sound: 0, damaged: [], failures: [] });
});

test.skipIf(process.getuid?.() !== 0)(
  "a file that may not be read is a failure, not a damage (needs root)",
  async () => {
    const data = temporaryDirectory();
    const { id } = store(data, "text");
    chmodSync(join(data, "managed"), 0o755);
    const { damaged, failures } = await asOther(data, () => verifyOutputs(data));
    expect([damaged, failures.map(({ kind }) => kind)]).toEqual([[], ["io"]]);
    expect(namesIn(data)).toContain(`${id}.txt`);
  },
);
