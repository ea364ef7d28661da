import { chmodSync, chownSync, readFileSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rm } from "../../src/commands/rm.ts";
import type { Limits } from "../../src/limits.ts";
import { asOther, namesIn, store, storeIo, temporaryDirectory } from "../store/fixture.ts";

const unknown = "0123456789abABCDEFGHIJKLMN";

async function run(data: string, references: string[], changed = {}) {
  const { io, said } = storeIo(data);
  const status = await rm({ references, json: false, anySession: false, ...changed }, {} as Limits, io);
  return { status, ...said };
}

test("outputs are removed by URI, id, prefix and last", async () => {
  const data = temporaryDirectory();
  const [one, two, three, four] = ["1", "2", "3", "4"].map((text) => store(data, text));
  if (!one || !two || !three || !four) throw new Error("four were stored");
  const { status, out, err } = await run(data, [one.uri, two.id, three.id.slice(0, 20), "last"]);
  expect(out).toBe([one, two, three, four].map(({ uri }) => `removed ${uri}\n`).join(""));
  expect([status, err, namesIn(data)]).toEqual([0, "", []]);
});

test("an output that is named twice is one", async () => {
  const data = temporaryDirectory();
  const [older, newer] = [store(data, "older"), store(data, "newer")];
  expect((await run(data, ["last", "last", newer.id])).out).toBe(`removed ${newer.uri}\n`);
  expect(namesIn(data)).toEqual([`${older.id}.json`, `${older.id}.txt`]);
});

test("what can be removed is, each failure is a line, and the first gives the status", async () => {
  const data = temporaryDirectory();
  const [own, other] = [store(data, "own"), store(data, "other", { session: "b" })];
  expect(await run(data, [other.uri, own.uri, unknown])).toEqual({
    status: 4,
    out: `removed ${own.uri}\n`,
    err: `toolout: ${other.uri} belongs to another session\ntoolout: no stored output tool-output://${unknown}\n`,
  });
  expect(namesIn(data)).toEqual([`${other.id}.json`, `${other.id}.txt`]);
});

test("the document names what was removed, and failures go to stderr", async () => {
  const data = temporaryDirectory();
  const { uri } = store(data, "text");
  expect(await run(data, [unknown, uri], { json: true })).toEqual({
    status: 3,
    out: `{"version":1,"removed":["${uri}"]}\n`,
    err: `toolout: no stored output tool-output://${unknown}\n`,
  });
});

test("when nothing was removed a failure is thrown, for main to report", async () => {
  const data = temporaryDirectory();
  await expect(run(data, [unknown])).rejects.toMatchObject({ kind: "not-found" });
  await expect(run(data, ["../x", unknown], { json: true })).rejects.toMatchObject({ kind: "invalid-uri" });
  expect(await run(data, ["../x", unknown])).toMatchObject({ status: 2, out: "" });
});

test("a damaged output may go, by its owner; one of unknown owner, by --any-session", async () => {
  const data = temporaryDirectory();
  const [cut, lost, broken] = [1, 2, 3].map(() => store(data, "text", { session: "a" }).id) as [string, string, string];
  truncateSync(join(data, "managed", `${cut}.txt`), 1);
  unlinkSync(join(data, "managed", `${lost}.txt`));
  writeFileSync(join(data, "managed", `${broken}.json`), "{");
  expect(await run(data, [cut, lost, broken], { session: "b" })).toMatchObject({ status: 4, out: "" });
  expect(await run(data, [cut, lost, broken], { session: "a" })).toMatchObject({ status: 5 });
  expect(namesIn(data)).toEqual([`${broken}.json`, `${broken}.txt`]);
  expect((await run(data, [broken], { anySession: true })).status).toBe(0);
  expect(namesIn(data)).toEqual([]);
});

test("of a link its target stays", async () => {
  const data = temporaryDirectory();
  const victim = join(data, "victim");
  writeFileSync(victim, "text");
  const { id } = store(data, "text");
  unlinkSync(join(data, "managed", `${id}.txt`));
  symlinkSync(victim, join(data, "managed", `${id}.txt`));
  expect((await run(data, [id])).status).toBe(0);
  expect(readFileSync(victim, "utf8")).toBe("text");
  expect(namesIn(data)).toEqual([]);
});

test("a removal that fails is not reported as done", async () => {
  const data = temporaryDirectory();
  const { id } = store(data, "text");
  const managed = join(data, "managed");
  if (process.getuid?.() === 0) for (const name of namesIn(data)) chownSync(join(managed, name), 65_534, 65_534);
  chmodSync(managed, 0o555);
  const attempt = asOther(data, () => run(data, [id], { json: true }));
  await expect(attempt).rejects.toMatchObject({ kind: "io", message: expect.stringMatching(/: permission denied$/) });
  chmodSync(managed, 0o755);
  expect(namesIn(data)).toEqual([`${id}.json`, `${id}.txt`]);
});

test("a filter alone removes all that it lets through; with a reference, or with neither, nothing goes", async () => {
  const data = temporaryDirectory();
  const kept = store(data, "text", { name: "test" });
  store(data, "text", { name: "build 1" });
  store(data, "text", { name: "build 2" });
  store(data, "text", { name: "build 3", session: "other" });
  const { io, said } = storeIo(data);
  for (const bad of [{ references: [] }, { references: [kept.id], named: "build*" }]) {
    await expect(rm({ json: false, ...bad }, {} as Limits, io)).rejects.toMatchObject({ kind: "usage" });
  }
  expect(namesIn(data)).toHaveLength(8);
  expect(await rm({ references: [], json: false, named: "build*", since: "1h" }, {} as Limits, io)).toBe(0);
  expect(said.out.match(/^removed /gm)).toHaveLength(2);
  expect(namesIn(data)).toHaveLength(4);
});
