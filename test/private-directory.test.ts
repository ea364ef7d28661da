import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeClosedDirectory, makePrivateDirectory } from "../src/private-directory.ts";
import { failureOf, temporaryDirectory } from "./store/fixture.ts";

const mask = process.umask();
afterEach(() => {
  process.umask(mask);
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

test.each([0o000, 0o022, 0o077, 0o277])("under umask %o every directory made is 0700, and older ones stay", (umask) => {
  const root = temporaryDirectory();
  mkdirSync(join(root, "old"));
  const before = modeOf(join(root, "old"));
  process.umask(umask);
  makePrivateDirectory(join(root, "old/one/two/three"));
  makePrivateDirectory(join(root, "old/one/two/three"));
  expect([before, ...["one", "one/two", "one/two/three"].map((name) => modeOf(join(root, "old", name)))]).toEqual([
    modeOf(join(root, "old")),
    0o700,
    0o700,
    0o700,
  ]);
});

test("a link to a directory will do", () => {
  const root = temporaryDirectory();
  mkdirSync(join(root, "disk"));
  symlinkSync("disk", join(root, "link"));
  makePrivateDirectory(join(root, "link/managed"));
  expect(existsSync(join(root, "disk/managed"))).toBe(true);
});

test("only the innermost of directories that are closed is, whoever made it wider", () => {
  const root = temporaryDirectory();
  mkdirSync(join(root, "data/managed"), { recursive: true });
  for (const name of ["data", "data/managed"]) chmodSync(join(root, name), 0o755);
  makeClosedDirectory(join(root, "data/managed"));
  expect([modeOf(join(root, "data")), modeOf(join(root, "data/managed"))]).toEqual([0o755, 0o700]);
  makeClosedDirectory(join(root, "new/managed"));
  expect(modeOf(join(root, "new/managed"))).toBe(0o700);
});

test("what a link leads to keeps its mode: others may need it", () => {
  const root = temporaryDirectory();
  mkdirSync(join(root, "shared"));
  chmodSync(join(root, "shared"), 0o777);
  symlinkSync("shared", join(root, "managed"));
  makeClosedDirectory(join(root, "managed"));
  expect(modeOf(join(root, "shared"))).toBe(0o777);
});

test.runIf(process.geteuid?.() === 0)("a directory of somebody else is left as it is (as root)", () => {
  const root = temporaryDirectory();
  mkdirSync(join(root, "managed"));
  chmodSync(join(root, "managed"), 0o777);
  chownSync(join(root, "managed"), 65_534, 65_534);
  makeClosedDirectory(join(root, "managed"));
  expect(modeOf(join(root, "managed"))).toBe(0o777);
});

test("a place that can hold no directory fails at once and names what is in the way", () => {
  const root = temporaryDirectory();
  symlinkSync("nowhere", join(root, "dangling"));
  symlinkSync("loop", join(root, "loop"));
  writeFileSync(join(root, "file"), "");
  for (const path of ["dangling", "dangling/a/b", "file", "file/a/b", "loop", "loop/a"]) {
    const failure = failureOf(() => makePrivateDirectory(join(root, path)));
    expect(failure.kind).toBe("io");
    expect(failure.message).toMatch(new RegExp(`^cannot make the directory ${root}/[a-z/]+: [a-z ]+$`));
  }
  expect(readdirSync(root)).toEqual(["dangling", "file", "loop"]);
});

test.skipIf(!existsSync("/proc/self")).each(["/proc/x", "/proc/x/y/z", "/proc/self/x", "/dev/null", "/dev/null/x"])(
  "%s fails at once (on Linux)",
  (path) => {
    expect(failureOf(() => makePrivateDirectory(path)).kind).toBe("io");
  },
);
