/** The built program starts from V8's code cache where there is one that fits, and just as well without. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const isCache = (name: string) => name.startsWith("code-cache-");

/** The program in a directory of its own. */
function copyOfProgram() {
  const directory = mkdtempSync(join(tmpdir(), "toolout-loader-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const name of ["bin", "dist"]) cpSync(name, join(directory, name), { recursive: true });
  const caches = () => readdirSync(join(directory, "dist")).filter(isCache);
  return { directory, caches };
}

function start(directory: string, flags: readonly string[] = []) {
  const words = [
    ...flags,
    join(directory, "bin/toolout.js"),
    "run",
    "--",
    "sh",
    "-c",
    "echo out; echo err >&2; exit 7",
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  return { status, stdout, stderr };
}

const asEver = { status: 7, stdout: "out\n", stderr: "err\n" };

it("has a code cache of the Node that built it, with the sources of the chunks it is for", () => {
  const { directory, caches } = copyOfProgram();
  expect(caches().length).toBeGreaterThan(0);
  for (const name of caches()) {
    const bytes = readFileSync(join(directory, "dist", name));
    expect(bytes.includes(readFileSync(join(directory, "dist/start.js")))).toBe(true);
  }
  expect(start(directory)).toEqual(asEver);
});

it("starts without a code cache, and makes none", () => {
  const { directory, caches } = copyOfProgram();
  for (const name of caches()) rmSync(join(directory, "dist", name));
  expect(start(directory)).toEqual(asEver);
  expect(caches()).toEqual([]);
});

it.each([0, 100, 50_000])("starts with a code cache that ends after %d bytes", (length) => {
  const { directory, caches } = copyOfProgram();
  for (const name of caches()) truncateSync(join(directory, "dist", name), length);
  expect(start(directory)).toEqual(asEver);
});

it("starts with flags of V8's for which the code cache is rejected", () => {
  const { directory } = copyOfProgram();
  expect(start(directory, ["--no-lazy"])).toEqual(asEver);
});
