import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStoredOutput } from "../../src/store/open.ts";
import { sweep } from "../../src/store/sweep.ts";
import { beginOutput } from "../../src/store/write.ts";
import { age, asOther, factsOf, failureOf, namesIn, store, temporaryDirectory } from "./fixture.ts";

const hour = 3_600_000;
const day = 24 * hour;
const MiB = 1024 * 1024;
const order = { retentionMs: 7 * day, quotaBytes: 64 * MiB, isDryRun: false, env: {} };
const run = (data: string, changed: Partial<typeof order> = {}) => sweep(data, { ...order, ...changed }, Date.now());
const reasonsOf = (data: string) => run(data).removed.map(({ id, reason }) => `${id} ${reason}`);
const pair = (id: string) => [`${id}.json`, `${id}.txt`];
const nobody = { session: undefined, anySession: false };

test("a store that is missing is an empty one, and stays missing", () => {
  const data = join(temporaryDirectory(), "data");
  expect(run(data)).toMatchObject({ removed: [], kept: { count: 0, bytes: 0 }, failures: [] });
  expect(() => readdirSync(data)).toThrow();
});

test("an old pair goes and is known to have expired, a young one stays", () => {
  const data = temporaryDirectory();
  const [old, young] = [store(data, "old"), store(data, "young")];
  age(data, pair(old.id), 8 * day);
  age(data, pair(young.id), 6 * day);
  const { removed, kept, failures } = run(data);
  expect(removed).toMatchObject([{ id: old.id, uri: old.uri, reason: "expired" }]);
  expect(removed[0]?.bytes).toBeGreaterThan(3);
  expect(kept.count).toBe(1);
  expect(failures).toEqual([]);
  expect(namesIn(data)).toEqual(pair(young.id));
  expect(readdirSync(data)).toEqual(["clock", "managed", "removed"]);
  expect(failureOf(() => openStoredOutput(data, old.uri, nobody)).kind).toBe("expired");
});

test("an output is as old as its younger file, whatever its id and its record say", () => {
  const data = temporaryDirectory();
  const { id } = store(data, "text");
  age(data, [`${id}.json`], 8 * day);
  expect(reasonsOf(data)).toEqual([]);
  age(data, pair(id), -2 * day);
  expect(reasonsOf(data)).toEqual([]);
});

test("the file system's clock counts, not the process's", () => {
  const data = temporaryDirectory();
  store(data, "text");
  expect(sweep(data, order, Date.now() + 3650 * day).removed).toEqual([]);
});

test("a dry run says what it would do and changes nothing", () => {
  const data = temporaryDirectory();
  const { id } = store(data, "text");
  age(data, pair(id), 8 * day);
  expect(run(data, { isDryRun: true }).removed).toMatchObject([{ id, reason: "expired" }]);
  expect(namesIn(data)).toEqual(pair(id));
  expect(readdirSync(data)).toEqual(["managed"]);
});

test("of outputs over the quota the newest stay", () => {
  const data = temporaryDirectory();
  const ids = [3, 2, 1].map((hours) => {
    const { id } = store(data, "x".repeat(10_000));
    age(data, pair(id), hours * hour);
    return id;
  });
  const { removed, kept } = run(data, { quotaBytes: 25_000 });
  expect(removed).toMatchObject([{ id: ids[0], reason: "quota" }]);
  expect(kept.count).toBe(2);
  expect(kept.bytes).toBeGreaterThan(20_000);
});

describe("what does not match goes after an hour", () => {
  const spoilers: Record<string, (path: (ending: string) => string) => void> = {
    "a payload of another size": (path) => truncateSync(path("txt"), 1),
    "a payload that is missing": (path) => unlinkSync(path("txt")),
    "a payload that is a link": (path) => {
      unlinkSync(path("txt"));
      symlinkSync("/etc/hostname", path("txt"));
    },
    "a record that is none": (path) => writeFileSync(path("json"), "{"),
    "a record that is a link": (path) => {
      unlinkSync(path("json"));
      symlinkSync("/etc/hostname", path("json"));
    },
  };
  test.each(Object.keys(spoilers))("%s", (name) => {
    const data = temporaryDirectory();
    const [{ id }, sound] = [store(data, "text"), store(data, "sound")];
    spoilers[name]?.((ending) => join(data, "managed", `${id}.${ending}`));
    const names = namesIn(data);
    expect(reasonsOf(data)).toEqual([]);
    expect(namesIn(data)).toEqual(names);
    spawnSync("touch", ["-h", "-d", "2 hours ago", ...names.map((file) => join(data, "managed", file))]);
    expect(reasonsOf(data)).toEqual([`${id} mismatched`]);
    expect(namesIn(data)).toEqual(pair(sound.id));
  });
});

describe("a payload without a record", () => {
  test("stays for an hour and then goes", () => {
    const data = temporaryDirectory();
    const { id } = store(data, "text");
    unlinkSync(join(data, "managed", `${id}.json`));
    expect(reasonsOf(data)).toEqual([]);
    age(data, [`${id}.txt`], 2 * hour);
    expect(reasonsOf(data)).toEqual([`${id} orphan`]);
    expect(namesIn(data)).toEqual([]);
    expect(readdirSync(data)).toEqual(["clock", "managed"]);
  });

  test("stays while its writer lives, however long it is silent", () => {
    const data = temporaryDirectory();
    const writer = beginOutput(data, MiB);
    writer.write(Buffer.from("before"));
    age(data, namesIn(data), 100 * day);
    expect(reasonsOf(data)).toEqual([]);
    writer.write(Buffer.from(" after"));
    writer.commit(factsOf(12));
    expect(openStoredOutput(data, writer.id, nobody).size).toBe(12);
  });

  test("goes with the mark of a writer that was killed", () => {
    const data = temporaryDirectory();
    const writer = beginOutput(data, MiB);
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    const own = namesIn(data).find((name) => name.endsWith(".tmp")) as string;
    unlinkSync(join(data, "managed", own));
    writeFileSync(join(data, "managed", `${writer.id}.${dead}.1.tmp`), "");
    expect(reasonsOf(data)).toEqual([]);
    age(data, namesIn(data), 2 * hour);
    expect(reasonsOf(data)).toEqual([`${writer.id} orphan`]);
    expect(namesIn(data)).toEqual([]);
    expect(failureOf(() => writer.commit(factsOf(0))).kind).toBe("io");
    expect(namesIn(data)).toEqual([]);
  });
});

test("of an output that a failed removal left the list says nothing to a reader", async () => {
  const data = temporaryDirectory();
  const { id, uri } = store(data, "text");
  age(data, pair(id), 8 * day);
  chmodSync(data, 0o777);
  for (const name of pair(id)) chmodSync(join(data, "managed", name), 0o644);
  chmodSync(join(data, "managed"), 0o555);
  const { failures } = await asOther(data, () => run(data));
  expect(failures).toHaveLength(1);
  openStoredOutput(data, uri, nobody).close();
});

test("what it does not know stays, and what links lead to", () => {
  const data = temporaryDirectory();
  store(data, "text");
  const managed = join(data, "managed");
  const victims = join(data, "victims");
  mkdirSync(victims);
  writeFileSync(join(victims, "file"), "as it was");
  const names = [
    "notes.txt",
    "0123.json",
    "ABCDEFABCDEFABCDEFABCDEFAB.txt",
    "0123456789abABCDEFGHIJKLMN.txt.bak",
    ".hidden",
  ];
  for (const name of names) writeFileSync(join(managed, name), "mine");
  mkdirSync(join(managed, "0123456789abABCDEFGHIJKLMN.txt"));
  mkdirSync(join(managed, "0123456789abABCDEFGHIJKLMN.json"));
  symlinkSync(victims, join(managed, "000000000001aaaaaaaaaaaaaa.txt"));
  symlinkSync(join(victims, "file"), join(managed, "000000000002aaaaaaaaaaaaaa.txt"));
  spawnSync("touch", ["-h", "-d", "9 days ago", ...namesIn(data).map((name) => join(managed, name))]);
  spawnSync("touch", ["-d", "9 days ago", victims, join(victims, "file")]);
  expect(
    run(data)
      .removed.map(({ reason }) => reason)
      .sort(),
  ).toEqual(["expired", "orphan", "orphan"]);
  expect(namesIn(data)).toEqual([...names, "0123456789abABCDEFGHIJKLMN.txt", "0123456789abABCDEFGHIJKLMN.json"].sort());
  expect(readFileSync(join(victims, "file"), "utf8")).toBe("as it was");
});

test("a removal that fails is told and not counted as done", async () => {
  const data = temporaryDirectory();
  const { id } = store(data, "text");
  const managed = join(data, "managed");
  for (const name of pair(id)) chmodSync(join(managed, name), 0o644);
  age(data, pair(id), 8 * day);
  chmodSync(managed, 0o555);
  const { removed, kept, failures } = await asOther(data, () => run(data));
  chmodSync(managed, 0o755);
  expect(removed).toEqual([]);
  expect(kept.count).toBe(1);
  expect(failures.map(({ message }) => message)).toEqual([`cannot remove ${managed}/${id}.json: permission denied`]);
  expect(namesIn(data)).toEqual(pair(id));
});

test("a store that may not be read is told", async () => {
  const data = temporaryDirectory();
  store(data, "text");
  chmodSync(join(data, "managed"), 0o300);
  const failure = await asOther(data, () => failureOf(() => run(data)));
  expect(failure.message).toBe(`cannot read the directory ${data}/managed: permission denied`);
  const file = join(temporaryDirectory(), "file");
  writeFileSync(file, "");
  expect(failureOf(() => run(file)).message).toBe(`cannot read the directory ${file}/managed: not a directory`);
});
