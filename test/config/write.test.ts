import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeConfig } from "../../src/config/write.ts";

let root: string;
let file: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "toolout-write-"));
  file = join(root, "toolout/config.json");
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

test("a new file and its directory are for the user alone, and nothing else is left", () => {
  writeConfig(file, { maxLines: 9 });
  expect(readFileSync(file, "utf8")).toBe('{\n  "maxLines": 9\n}\n');
  expect([statSync(file).mode & 0o777, statSync(join(root, "toolout")).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(readdirSync(join(root, "toolout"))).toEqual(["config.json"]);
});

test("a file keeps its mode and owner, and is replaced rather than changed", () => {
  writeConfig(file, {});
  chmodSync(file, 0o664);
  const before = statSync(file);
  writeConfig(file, { maxLines: 9 });
  const after = statSync(file);
  expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
  expect(after.ino).not.toBe(before.ino);
});

describe("a link stays a link", () => {
  test("and the file at the end of the chain is written, `..` counted from where each link really is", () => {
    mkdirSync(join(root, "toolout"));
    mkdirSync(join(root, "deep/dotfiles"), { recursive: true });
    symlinkSync("../deep/dotfiles", join(root, "toolout/elsewhere"));
    symlinkSync("../real.json", join(root, "deep/dotfiles/config.json"));
    symlinkSync("elsewhere/config.json", file);
    writeFileSync(join(root, "deep/real.json"), "{}");
    writeConfig(file, { maxLines: 9 });
    expect(readlinkSync(file)).toBe("elsewhere/config.json");
    expect(lstatSync(join(root, "deep/dotfiles/config.json")).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(join(root, "deep/real.json"), "utf8"))).toEqual({ maxLines: 9 });
  });

  test("also when what it names is not there yet", () => {
    mkdirSync(join(root, "toolout"));
    symlinkSync("other.json", file);
    writeConfig(file, { maxLines: 9 });
    expect(readdirSync(join(root, "toolout")).sort()).toEqual(["config.json", "other.json"]);
    expect(readlinkSync(file)).toBe("other.json");
  });
});

describe("a refusal of the disk is a failure that names the file and leaves nothing behind", () => {
  test("where the directory would be a file", () => {
    writeFileSync(join(root, "toolout"), "");
    expect(() => writeConfig(file, {})).toThrow(`${file} cannot be written: not a directory`);
  });

  test("where a directory has the file's name", () => {
    mkdirSync(file, { recursive: true });
    expect(() => writeConfig(file, {})).toThrow(expect.objectContaining({ kind: "io" }));
    expect(readdirSync(join(root, "toolout"))).toEqual(["config.json"]);
  });

  test("where links go round in a circle", () => {
    mkdirSync(join(root, "toolout"));
    symlinkSync("config.json", file);
    expect(() => writeConfig(file, {})).toThrow("too many symbolic links");
  });
});
