import { chmodSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gc } from "../../src/commands/gc.ts";
import type { Limits } from "../../src/limits.ts";
import { age, asOther, namesIn, store, storeIo, temporaryDirectory } from "../store/fixture.ts";

const day = 24 * 3_600_000;
const MiB = 1024 * 1024;
const limits = { maxLines: 2000, maxBytes: 51_200, retention: 7 * day, quotaBytes: 64 * MiB } as Limits;
const request = { dryRun: false, quiet: false, verify: false, json: false };

async function run(data: string, changed: Partial<typeof request> = {}, changedLimits: Partial<Limits> = {}) {
  const { io, said } = storeIo(data);
  const status = await gc({ ...request, ...changed }, { ...limits, ...changedLimits }, io);
  return { status, ...said };
}

function storeOld(data: string): { uri: string; id: string } {
  const output = store(data, "text");
  age(data, [`${output.id}.json`, `${output.id}.txt`], 8 * day);
  return output;
}

test("an empty store has nothing to remove", async () => {
  expect(await run(join(temporaryDirectory(), "none"))).toEqual({
    status: 0,
    out: "0 outputs (0 bytes) removed, 0 outputs (0 bytes) kept\n",
    err: "",
  });
});

test("what was removed is listed with its reason, and summed up", async () => {
  const data = temporaryDirectory();
  const { uri } = storeOld(data);
  store(data, "young");
  const dry = await run(data, { dryRun: true });
  expect(dry.out).toMatch(
    /^expired {2}\d+ bytes {2}tool-output:\/\/\w{26}\n1 output \(\d+ bytes\) would be removed, 1 output \(\d+ bytes\) kept\n$/,
  );
  expect(namesIn(data)).toHaveLength(4);
  const { status, out, err } = await run(data);
  expect(out).toBe(dry.out.replace("would be removed", "removed"));
  expect(out).toContain(uri);
  expect([status, err]).toEqual([0, ""]);
  expect(namesIn(data)).toHaveLength(2);
});

test("the document says the same", async () => {
  const data = temporaryDirectory();
  const { uri } = storeOld(data);
  const dry = JSON.parse((await run(data, { dryRun: true, json: true })).out);
  const done = JSON.parse((await run(data, { json: true })).out);
  expect(dry).toEqual({
    version: 1,
    dryRun: true,
    removed: [{ uri, reason: "expired", bytes: expect.any(Number) }],
    kept: { count: 0, bytes: 0 },
    leftovers: 0,
  });
  expect(done).toEqual({ ...dry, dryRun: false });
});

test("quiet says nothing, and does it", async () => {
  const data = temporaryDirectory();
  storeOld(data);
  expect(await run(data, { quiet: true })).toEqual({ status: 0, out: "", err: "" });
  expect(namesIn(data)).toEqual([]);
});

test("the lines stay inside the limits, the sum among them", async () => {
  const data = temporaryDirectory();
  for (let i = 0; i < 30; i += 1) storeOld(data);
  for (const changed of [{ maxLines: 10 }, { maxBytes: 1024 }, { maxLines: 1 }]) {
    const { out, err } = await run(data, { dryRun: true }, changed);
    const lines = out.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(changed.maxLines ?? 2000);
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(changed.maxBytes ?? 51_200);
    expect(lines.at(-1)).toMatch(/^30 outputs/);
    expect(err).toBe(`toolout: ${31 - lines.length} more are not listed here; --json lists all\n`);
  }
});

test("removals that fail are told, five of them one by one, and the status is 1", async () => {
  const data = temporaryDirectory();
  for (let i = 0; i < 7; i += 1) storeOld(data);
  const managed = join(data, "managed");
  chmodSync(managed, 0o555);
  const { status, out, err } = await asOther(data, () => run(data, { json: true }));
  chmodSync(managed, 0o755);
  expect(status).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ removed: [], kept: { count: 7 } });
  const lines = err.trimEnd().split("\n");
  expect(lines).toHaveLength(6);
  expect(lines[0]).toMatch(/^toolout: cannot remove .*\.json: permission denied$/);
  expect(lines[5]).toBe("toolout: 2 more such failures");
});

test("verify reads all that stays and says what is damaged", async () => {
  const data = temporaryDirectory();
  const [sound, broken] = [store(data, "text"), store(data, "text")];
  expect((await run(data, { verify: true })).out).toMatch(/ 2 outputs \(.*\) kept, 2 sound, 0 damaged\n$/);
  writeFileSync(join(data, "managed", `${broken.id}.txt`), "tEXT");
  const message = `${broken.uri} is damaged: its payload does not match the checksum`;
  const { status, out } = await run(data, { verify: true, dryRun: true });
  expect(status).toBe(5);
  expect(out).toMatch(new RegExp(`^${message}\n0 outputs .* kept, 1 sound, 1 damaged\n$`));
  expect(await run(data, { verify: true, quiet: true })).toMatchObject({ status: 5, out: "", err: "" });
  const document = JSON.parse((await run(data, { verify: true, json: true })).out);
  expect(document.verified).toEqual({ sound: 1, damaged: [{ uri: broken.uri, message }] });
  expect(namesIn(data)).toEqual([sound, broken].flatMap(({ id }) => [`${id}.json`, `${id}.txt`]).sort());
});

test("what a kill left is counted", async () => {
  const data = temporaryDirectory();
  store(data, "text");
  writeFileSync(join(data, "removed.12345.tmp"), "");
  utimesSync(join(data, "removed.12345.tmp"), 1e9, 1e9);
  expect((await run(data, { dryRun: true })).out).toMatch(/^0 outputs \(0 bytes\) and 1 leftover would be removed, /);
  expect(JSON.parse((await run(data, { json: true })).out).leftovers).toBe(1);
  expect((await run(data)).out).toMatch(/^0 outputs \(0 bytes\) removed, /);
});

test("a data directory that is a file fails", async () => {
  const file = join(temporaryDirectory(), "file");
  writeFileSync(file, "");
  await expect(run(file)).rejects.toMatchObject({ kind: "io" });
});
