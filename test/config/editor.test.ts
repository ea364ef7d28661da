import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runEditor } from "../../src/config/editor.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "toolout-editor-"));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

test("the command may hold arguments, and the file may have blanks and quotes in its name", async () => {
  const file = join(root, "it's $HOME here.json");
  expect(await runEditor("cp /dev/stdin < /dev/null", file)).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("");
});

test("the status is the editor's own, 127 when there is none, and 1 when a signal ended it", async () => {
  expect(await runEditor("sh -c 'exit 3'", root)).toBe(3);
  expect(await runEditor("toolout-no-such-editor 2> /dev/null", root)).toBe(127);
  expect(await runEditor("kill -9 $$;", root)).toBe(1);
});
