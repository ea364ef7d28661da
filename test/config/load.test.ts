import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadLimits, readConfig } from "../../src/config/load.ts";

let root: string;
let file: string;
const env = () => ({ XDG_CONFIG_HOME: root });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "toolout-config-"));
  mkdirSync(join(root, "toolout"));
  file = join(root, "toolout/config.json");
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

test("a file is read with its text", async () => {
  writeFileSync(file, '{"maxLines": 9}');
  expect(await readConfig(env())).toEqual({
    path: file,
    text: '{"maxLines": 9}',
    values: { maxLines: 9 },
    problem: undefined,
  });
});

describe("no file is no problem", () => {
  const none = { text: undefined, values: {}, problem: undefined };

  test("in an empty directory, below a home that is no directory, and without a home", async () => {
    expect(await readConfig(env())).toEqual({ path: file, ...none });
    expect(await readConfig({ XDG_CONFIG_HOME: "/dev/null" })).toEqual({
      path: "/dev/null/toolout/config.json",
      ...none,
    });
    expect(await readConfig({ HOME: "" })).toEqual({ path: undefined, ...none });
  });

  test("and an unknown profile is then refused", async () => {
    await expect(loadLimits({ flags: {}, profile: "nobody" }, env())).rejects.toMatchObject({ kind: "usage" });
  });
});

describe("a file that cannot be used is one warning, and no limit fails for it", () => {
  test.each([
    ["not JSON", () => writeFileSync(file, "{bad"), "is not JSON: "],
    ["an array", () => writeFileSync(file, "[]"), "is not a JSON object"],
    ["a directory", () => mkdirSync(file), "cannot be read: is a directory"],
    ["a named pipe", () => execFileSync("mkfifo", [file]), "cannot be read: is not a regular file"],
    ["a device", () => symlinkSync("/dev/zero", file), "cannot be read: is not a regular file"],
    ["a link to itself", () => symlinkSync(file, file), "cannot be read: "],
    ["huge", () => writeFileSync(file, " ".repeat(1024 * 1024 + 1)), "cannot be read: is larger than 1 MiB"],
  ])("%s", async (_name, make, problem) => {
    make();
    expect((await readConfig(env())).problem).toContain(`${file} ${problem}`);
    const { limits, warnings } = await loadLimits({ flags: { maxBytes: "2k" }, profile: "mine" }, env());
    expect([limits.maxLines, limits.maxBytes]).toEqual([2000, 2048]);
    expect(warnings).toEqual([expect.stringContaining(file)]);
  });
});
