import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeFiles } from "../../src/store/removal.ts";
import { failureOf, temporaryDirectory } from "./fixture.ts";

test.each([
  { there: ["claim", "payload"], isDone: true, left: [] },
  { there: ["claim"], isDone: true, left: [] },
  { there: ["payload"], isDone: false, left: ["payload"] },
  { there: [], isDone: false, left: [] },
])("of $there, who finds the first does the removal: $isDone", ({ there, isDone, left }) => {
  const directory = temporaryDirectory();
  for (const name of there) writeFileSync(join(directory, name), "");
  expect(removeFiles(directory, ["claim", "payload"])).toBe(isDone);
  expect(readdirSync(directory)).toEqual(left);
});

test("a directory in place of a file stays and is told", () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, "claim"));
  const failure = failureOf(() => removeFiles(directory, ["claim", "payload"]));
  expect(failure.kind).toBe("io");
  expect(failure.message).toMatch(/^cannot remove .*\/claim: (is a directory|operation not permitted)$/);
});
