import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { isWriterAlive, markName, parseMarkName } from "../../src/store/writer-mark.ts";

const id = "0123456789abABCDEFGHIJKLMN";
const own = parseMarkName(markName(id));
const tellsStart = existsSync("/proc/self/stat");

test("the mark of this process is that of a living one", () => {
  expect(own).toMatchObject({ id, pid: process.pid });
  expect(own && isWriterAlive(own)).toBe(true);
});

test("a process that has ended is not alive", () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  expect(isWriterAlive({ id, pid, started: "1" })).toBe(false);
  expect(isWriterAlive({ id, pid, started: "0" })).toBe(false);
});

test.skipIf(!tellsStart)("another process with the same id is not the writer (on Linux)", () => {
  expect(own && isWriterAlive({ ...own, started: `${Number(own.started) + 1}` })).toBe(false);
});

test("where no start is known the id decides", async () => {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  await once(child, "spawn");
  expect(isWriterAlive({ id, pid: child.pid as number, started: "0" })).toBe(true);
  child.stdin?.end();
  await once(child, "exit");
  expect(isWriterAlive({ id, pid: child.pid as number, started: "0" })).toBe(false);
});

test.each([
  `${id}.tmp`,
  `${id}.1.tmp`,
  `${id}.0.1.tmp`,
  `${id}.1.1.tmp.x`,
  `x${id}.1.1.tmp`,
  `${id}.-1.1.tmp`,
  `${id}.json`,
])("%s is no mark", (name) => {
  expect(parseMarkName(name)).toBeUndefined();
});
