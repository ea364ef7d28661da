import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { Room } from "../../src/store/room.ts";
import { beginOutput } from "../../src/store/write.ts";
import { factsOf, failureOf, namesIn, temporaryDirectory } from "./fixture.ts";

const KiB = 1024;
const mounted: string[] = [];

/** A disk of so many bytes; undefined where none may be mounted. */
function smallDisk(bytes: number): string | undefined {
  const directory = temporaryDirectory();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "toolout-test", directory]).status !== 0)
    return undefined;
  mounted.push(directory);
  return directory;
}

function unmountAll(): void {
  for (const directory of mounted.splice(0)) execFileSync("umount", [directory]);
}

afterEach(unmountAll);

const canMount = smallDisk(64 * KiB) !== undefined;
unmountAll();

test("what other trouble there is comes through at once", () => {
  let sweeps = 0;
  const room = new Room(() => {
    sweeps += 1;
  });
  const trouble = Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
  expect(() =>
    room.retry(() => {
      throw trouble;
    }),
  ).toThrow(trouble);
  const fd = openSync("/dev/null", "r");
  expect(() => room.write(fd, Buffer.from("x"))).toThrow("EBADF");
  closeSync(fd);
  expect(sweeps).toBe(0);
});

test("a disk that stays full is swept once, also when the sweep itself fails", () => {
  let sweeps = 0;
  const room = new Room(() => {
    sweeps += 1;
    throw new Error("no sweep");
  });
  const full = openSync("/dev/full", "w");
  for (let i = 0; i < 3; i += 1) {
    const { written, refusal } = room.write(full, Buffer.from("text"));
    expect([written, (refusal as { code: string }).code]).toEqual([0, "ENOSPC"]);
  }
  closeSync(full);
  expect(sweeps).toBe(1);
});

describe.skipIf(!canMount)("on a disk that is full (skipped where none may be mounted)", () => {
  test("what fits is kept to the byte, with its record", () => {
    const data = smallDisk(512 * KiB) as string;
    const writer = beginOutput(data, 64 * KiB * KiB);
    const whole = Buffer.from("0123456789\n".repeat(100_000));
    for (let i = 0; i < whole.length; i += 10_000) writer.write(whole.subarray(i, i + 10_000));
    writer.flush();
    const { size } = writer.commit(factsOf(whole.length, { complete: false }));
    expect(writer.shortfall?.message).toMatch(/: no space left on device$/);
    expect(size).toBeGreaterThan(400 * KiB);
    expect(execFileSync("df", ["--output=avail", data], { encoding: "utf8" })).toMatch(/^ *0$/m);
    expect(readFileSync(join(data, "managed", `${writer.id}.txt`)).equals(whole.subarray(0, size))).toBe(true);
    expect(namesIn(data)).toEqual([`${writer.id}.json`, `${writer.id}.txt`]);
  });

  test("a sweep that frees enough lets all of it in", () => {
    const data = smallDisk(512 * KiB) as string;
    const ballast = join(data, "ballast");
    writeFileSync(ballast, Buffer.alloc(300 * KiB));
    const writer = beginOutput(data, 64 * KiB * KiB, () => rmSync(ballast));
    writer.write(Buffer.alloc(400 * KiB));
    expect(writer.commit(factsOf(400 * KiB)).size).toBe(400 * KiB);
    expect(writer.shortfall).toBeUndefined();
  });

  test("a sweep also makes room for the first file", () => {
    const data = smallDisk(64 * KiB) as string;
    const ballast = join(data, "ballast");
    mkdirSync(join(data, "managed"));
    spawnSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=64k"]);
    const writer = beginOutput(data, KiB, () => rmSync(ballast));
    writer.write(Buffer.from("text"));
    expect(writer.commit(factsOf(4)).size).toBe(4);
  });

  test("where not one byte fits nothing is stored and nothing is left", () => {
    const data = smallDisk(64 * KiB) as string;
    mkdirSync(join(data, "managed"));
    spawnSync("dd", ["if=/dev/zero", `of=${join(data, "ballast")}`, "bs=4k", "count=15"]);
    const writer = beginOutput(data, KiB * KiB);
    writer.write(Buffer.from("text"));
    const failure = failureOf(() => writer.commit(factsOf(4)));
    expect(failure.message).toBe(`cannot store the output in ${data}/managed: no space left on device`);
    expect(namesIn(data)).toEqual([]);
    spawnSync("dd", ["if=/dev/zero", `of=${join(data, "ballast")}`, "bs=4k"]);
    expect(failureOf(() => beginOutput(data, KiB)).kind).toBe("io");
    expect(namesIn(data)).toEqual([]);
  });
});
