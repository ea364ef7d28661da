import { truncateSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { show } from "../../src/commands/show.ts";
import type { Limits } from "../../src/limits.ts";
import { store, storeIo, temporaryDirectory } from "../store/fixture.ts";

const limits = { maxLines: 2000, maxBytes: 51_200 } as Limits;

async function run(data: string, reference: string, changed = {}, changedLimits: Partial<Limits> = {}) {
  const { io, said } = storeIo(data);
  const request = { reference, json: false, anySession: false, ...changed };
  const status = await show(request, { ...limits, ...changedLimits }, io);
  return { status, ...said };
}

test("the metadata is printed, a line each, without the hash of the session", async () => {
  const data = temporaryDirectory();
  const { uri } = store(data, "text", { session: "a", toolCallID: "call-1", exitCode: 2, command: ["a b", "\u001b"] });
  const { status, out, err } = await run(data, "last", { session: "a" });
  expect([status, err]).toEqual([0, ""]);
  expect(out).toMatch(
    new RegExp(`^uri: ${uri}
name: stdout
mime: text/plain
size: 4
bytes: 4
lines: 1
complete: yes
created: \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z
session: yes
call: call-1
exit: 2
crc32: ${crc32("text").toString(16)}
command: \\["a b","\\\\u001b"\\]
$`),
  );
});

test("the document has the whole metadata", async () => {
  const data = temporaryDirectory();
  const { uri, id } = store(data, "text", { complete: false, signal: "SIGTERM" });
  const { out } = await run(data, id, { json: true });
  expect(JSON.parse(out)).toMatchObject({
    version: 1,
    resource: { version: 1, id, uri, sessionID: null, toolCallID: null, size: 4, complete: false, signal: "SIGTERM" },
  });
});

test("a long value is cut, and what is printed stays inside the limits", async () => {
  const data = temporaryDirectory();
  const { id } = store(data, "text", { name: "n".repeat(100_000), command: ["c".repeat(100_000)] });
  expect((await run(data, id)).out).toMatch(/\nname: n{499}…\n/);
  for (const changed of [{ maxBytes: 1024 }, { maxLines: 5 }]) {
    const { out, err } = await run(data, id, {}, changed);
    expect(out).toContain(id);
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(1024);
    expect(err).toBe("toolout: the limits leave no room for the rest; --json shows all\n");
  }
});

test("what read refuses is refused", async () => {
  const data = temporaryDirectory();
  const { id } = store(data, "text", { session: "a" });
  await expect(run(data, "../x")).rejects.toMatchObject({ kind: "invalid-uri" });
  await expect(run(data, "0123456789abABCDEFGHIJKLMN")).rejects.toMatchObject({ kind: "not-found" });
  await expect(run(data, id)).rejects.toMatchObject({ kind: "access-denied" });
  truncateSync(join(data, "managed", `${id}.txt`), 1);
  await expect(run(data, id, { anySession: true })).rejects.toMatchObject({ kind: "damaged" });
});

test("the newest output that a filter lets through is shown; both a filter and a reference are refused", async () => {
  const data = temporaryDirectory();
  const { uri } = store(data, "text", { name: "build", shown: { head: 1, tail: 2 } });
  store(data, "text", { name: "test" });
  const { io, said } = storeIo(data);
  await show({ json: false, named: "b*" }, limits, io);
  expect(said.out).toContain(uri);
  expect(said.out).toContain("\nshown: 1 at the beginning, 2 at the end\n");
  await expect(show({ json: false, named: "c" }, limits, io)).rejects.toMatchObject({ kind: "not-found" });
  await expect(run(data, "last", { named: "b*" })).rejects.toMatchObject({ kind: "usage" });
});
