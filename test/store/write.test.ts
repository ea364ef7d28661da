import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { parseRecord } from "../../src/store/metadata.ts";
import { openStoredOutput } from "../../src/store/open.ts";
import { beginOutput } from "../../src/store/write.ts";
import { asOther, factsOf, failureOf, namesIn, store, temporaryDirectory } from "./fixture.ts";

const mask = process.umask();
afterEach(() => {
  process.umask(mask);
  vi.useRealTimers();
});

const MiB = 1024 * 1024;

/** Payload and record as they lie on the disk. */
function stored(data: string, id: string) {
  const payload = readFileSync(join(data, "managed", `${id}.txt`));
  return { payload, record: parseRecord(readFileSync(join(data, "managed", `${id}.json`), "utf8"), id) };
}

test("a committed output is a payload and the record of it, and nothing else", () => {
  const data = join(temporaryDirectory(), "a/b");
  const writer = beginOutput(data, MiB);
  writer.write(Buffer.from("one\n"));
  writer.write(Buffer.from("two\n"));
  const facts = { name: "stderr", session: "s", toolCallID: "c", lines: 9, complete: false, exitCode: 3, signal: null };
  const resource = writer.commit(factsOf(99, facts));
  expect(resource).toEqual({ uri: `tool-output://${writer.id}`, mime: "text/plain", name: "stderr", size: 8 });
  expect(namesIn(data)).toEqual([`${writer.id}.json`, `${writer.id}.txt`]);
  expect(readdirSync(data)).toEqual(["managed"]);
  const { payload, record } = stored(data, writer.id);
  expect(payload.toString()).toBe("one\ntwo\n");
  expect(record).toMatchObject({ ...resource, toolCallID: "c", lines: 9, bytes: 99, complete: false, exitCode: 3 });
  expect(record?.crc32).toBe(crc32("one\ntwo\n").toString(16).padStart(8, "0"));
  expect(record).not.toHaveProperty("command");
  expect(JSON.stringify(record)).not.toContain('"s"');
});

test("the command line is in the record only when it is given", () => {
  const data = temporaryDirectory();
  const { id } = store(data, "x", { command: ["npm", "test"] });
  expect(stored(data, id).record?.command).toEqual(["npm", "test"]);
});

test("until the commit there is no record", () => {
  const data = temporaryDirectory();
  const writer = beginOutput(data, MiB);
  writer.write(Buffer.alloc(3 * MiB));
  expect(namesIn(data).filter((name) => name.endsWith(".json"))).toEqual([]);
  expect(failureOf(() => openStoredOutput(data, writer.id, { session: undefined, anySession: true })).kind).toBe(
    "not-found",
  );
  writer.commit(factsOf(3 * MiB));
  expect(namesIn(data)).toEqual([`${writer.id}.json`, `${writer.id}.txt`]);
});

test("whatever the chunks, the payload is what was written, up to the limit", () => {
  const data = temporaryDirectory();
  const size = fc.oneof(fc.nat(100), fc.nat(200_000), fc.constantFrom(65_535, 65_536, 65_537, MiB - 1, MiB, MiB + 1));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 8 }), fc.nat(3 * MiB), (sizes, limitBytes) => {
      const writer = beginOutput(data, limitBytes);
      const chunks = sizes.map((bytes, i) => Buffer.alloc(bytes, `${i}chunk`));
      const whole = Buffer.concat(chunks);
      for (const chunk of chunks) {
        const mutable = Buffer.from(chunk);
        writer.write(mutable);
        mutable.fill(0); // the caller uses its buffer again
        expect(writer.keptBytes).toBeLessThanOrEqual(limitBytes);
      }
      const { size: kept } = writer.commit(factsOf(whole.length));
      const { payload, record } = stored(data, writer.id);
      expect(kept).toBe(Math.min(whole.length, limitBytes));
      expect(payload.equals(whole.subarray(0, limitBytes))).toBe(true);
      expect(record?.crc32).toBe(crc32(payload).toString(16).padStart(8, "0"));
    }),
    { numRuns: 150 },
  );
});

test.each([0o000, 0o022, 0o077, 0o277])("under umask %o files are 0600 and directories 0700", (umask) => {
  const data = join(temporaryDirectory(), "data");
  process.umask(umask);
  const writer = beginOutput(data, MiB);
  const modes = (names: string[]) => names.map((name) => statSync(join(data, "managed", name)).mode & 0o777);
  expect(modes(namesIn(data))).toEqual([0o600, 0o600]);
  writer.commit(factsOf(0));
  expect(modes(namesIn(data))).toEqual([0o600, 0o600]);
  expect([data, join(data, "managed")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
});

test("two writers at once do not mix", () => {
  const data = temporaryDirectory();
  const [one, other] = [beginOutput(data, MiB), beginOutput(data, MiB)];
  for (let i = 0; i < 1000; i += 1) {
    one.write(Buffer.from("one "));
    other.write(Buffer.from("other "));
  }
  other.commit(factsOf(6000));
  one.commit(factsOf(4000));
  expect(one.id < other.id).toBe(true);
  expect(stored(data, one.id).payload.toString()).toBe("one ".repeat(1000));
  expect(stored(data, other.id).payload.toString()).toBe("other ".repeat(1000));
});

test("a silent writer touches its mark by the file system's clock, for a gc that cannot see its process", () => {
  vi.useFakeTimers({ now: 0 });
  const data = temporaryDirectory();
  const writer = beginOutput(data, MiB);
  const mark = join(data, "managed", namesIn(data).find((name) => name.endsWith(".tmp")) ?? "");
  utimesSync(mark, 1e9, 1e9);
  vi.advanceTimersByTime(10 * 60_000);
  vi.setSystemTime(vi.getRealSystemTime());
  expect(Math.abs(Date.now() - statSync(mark).mtimeMs)).toBeLessThan(60_000);
  writer.commit(factsOf(0));
  expect(vi.getTimerCount()).toBe(0);
  expect(stored(data, writer.id).record?.size).toBe(0);
});

test("what is given up leaves nothing, and a commit cannot be given up", () => {
  const data = temporaryDirectory();
  const writer = beginOutput(data, MiB);
  writer.write(Buffer.from("x"));
  writer.discard();
  writer.discard();
  writer.write(Buffer.from("y"));
  expect(namesIn(data)).toEqual([]);
  expect(failureOf(() => writer.commit(factsOf(1))).kind).toBe("io");
  const kept = beginOutput(data, MiB);
  kept.commit(factsOf(0));
  kept.discard();
  expect(namesIn(data)).toHaveLength(2);
});

describe("trouble before the commit fails with one line and leaves no file", () => {
  const spoilers: Record<string, (payload: string, mark: string) => void> = {
    "a payload that was removed": (payload) => unlinkSync(payload),
    "a payload that was cut": (payload) => truncateSync(payload, 5),
    "a payload that grew": (payload) => truncateSync(payload, 4 * MiB),
    "a mark that gc took": (_payload, mark) => unlinkSync(mark),
    "a directory in place of the record": (payload) => mkdirSync(payload.replace(/txt$/, "json")),
  };
  test.each(Object.keys(spoilers))("%s", (name) => {
    const data = temporaryDirectory();
    const writer = beginOutput(data, 3 * MiB);
    writer.write(Buffer.alloc(2 * MiB));
    const [mark, payload] = namesIn(data).map((file) => join(data, "managed", file)) as [string, string];
    spoilers[name]?.(payload, mark);
    const failure = failureOf(() => writer.commit(factsOf(2 * MiB)));
    expect(failure.kind).toBe("io");
    expect(failure.message).toMatch(/^cannot store the output in .*: [^\n]+$/);
    expect(namesIn(data).filter((file) => !file.endsWith(".json"))).toEqual([]);
    expect(namesIn(data).filter((file) => statSync(join(data, "managed", file)).isFile())).toEqual([]);
  });
});

test("a link in place of the record is replaced, and its target stays", () => {
  const data = temporaryDirectory();
  const victim = join(data, "victim");
  writeFileSync(victim, "as it was");
  const writer = beginOutput(data, MiB);
  symlinkSync(victim, join(data, "managed", `${writer.id}.json`));
  writer.commit(factsOf(0));
  expect(readFileSync(victim, "utf8")).toBe("as it was");
  expect(stored(data, writer.id).record?.id).toBe(writer.id);
});

test("a second name of the payload, as a backup makes one, is no trouble", () => {
  const data = temporaryDirectory();
  const writer = beginOutput(data, MiB);
  writer.write(Buffer.from("x"));
  linkSync(join(data, "managed", `${writer.id}.txt`), join(data, "backup"));
  expect(writer.commit(factsOf(1)).size).toBe(1);
});

test("a directory that was moved away while it was written to is told at the commit", () => {
  const data = temporaryDirectory();
  const writer = beginOutput(data, MiB);
  renameSync(join(data, "managed"), join(data, "elsewhere"));
  expect(failureOf(() => writer.commit(factsOf(0))).message).toMatch(/: no such file or directory$/);
});

const canLimitFiles = spawnSync("prlimit", ["--version"]).status === 0;

test.skipIf(!canLimitFiles)(
  "of an output too large for its file system what fits is kept (skipped without prlimit)",
  () => {
    const data = temporaryDirectory();
    const whole = Buffer.from("0123456789\n".repeat(400_000));
    const ignore = () => {};
    const limitFiles = (bytes: string) => execFileSync("prlimit", ["--pid", `${process.pid}`, `--fsize=${bytes}:`]);
    process.on("SIGXFSZ", ignore); // the limit's signal would end the process
    limitFiles(`${3 * MiB + 7}`);
    try {
      const writer = beginOutput(data, 64 * MiB);
      for (let i = 0; i < whole.length; i += 50_000) writer.write(whole.subarray(i, i + 50_000));
      writer.flush();
      expect([writer.keptBytes, writer.isFull]).toEqual([3 * MiB + 7, true]);
      expect(writer.shortfall?.message).toBe(`cannot store all of the output in ${data}/managed: file too large`);
      expect(writer.commit(factsOf(whole.length, { complete: false })).size).toBe(3 * MiB + 7);
      const { payload, record } = stored(data, writer.id);
      expect(payload.equals(whole.subarray(0, 3 * MiB + 7))).toBe(true);
      expect(record?.crc32).toBe(crc32(payload).toString(16).padStart(8, "0"));
    } finally {
      limitFiles("unlimited");
      process.off("SIGXFSZ", ignore);
    }
  },
);

test("a directory that may not be written is told at once, and nothing is made", async () => {
  const data = temporaryDirectory();
  mkdirSync(join(data, "managed"));
  chmodSync(join(data, "managed"), 0o555);
  const failure = await asOther(data, () => failureOf(() => beginOutput(data, MiB)));
  expect(failure.message).toBe(`cannot store the output in ${data}/managed: permission denied`);
  expect(namesIn(data)).toEqual([]);
});
