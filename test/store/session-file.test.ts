import { fstatSync, mkdirSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSession } from "../../src/store/session-file.ts";
import { failureOf, temporaryDirectory } from "./fixture.ts";

function fileWith(content: string | Buffer): string {
  const path = join(temporaryDirectory(), "session");
  writeFileSync(path, content);
  return path;
}

test.each([
  ["secret", "secret"],
  ["secret\n", "secret"],
  ["secret\r\n", "secret"],
  ["secret\n\n", "secret\n"],
  [" two words ", " two words "],
  ["\ufeffé🟡\n", "\ufeffé🟡"],
  ["s".repeat(4096), "s".repeat(4096)],
  [`${"s".repeat(4096)}\r\n`, "s".repeat(4096)],
])("a file with %j gives %j, by path, link and descriptor", (content, session) => {
  const path = fileWith(content);
  symlinkSync(path, `${path}.link`);
  expect([readSession(path), readSession(`${path}.link`)]).toEqual([session, session]);
  const fd = openSync(path, "r");
  expect(readSession(`${fd}`)).toBe(session);
  expect(() => fstatSync(fd)).toThrow("EBADF");
});

test.each([
  ["", "is empty"],
  ["\n", "is empty"],
  ["s".repeat(4097), "is more than 4,096 bytes"],
  ["s".repeat(1_000_000), "is more than 4,096 bytes"],
  ["é".repeat(2049), "is more than 4,096 bytes"],
  [Buffer.from([0x61, 0xff]), "is not UTF-8 text"],
])("a file is refused: %#", (content, why) => {
  const path = fileWith(content);
  expect(failureOf(() => readSession(path))).toMatchObject({
    kind: "usage",
    message: expect.stringMatching(new RegExp(`^--session-file "[^"]+…?"?: ${why}$`)),
  });
});

test("what is neither a file nor a pipe is refused by its reason", () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, "directory"));
  const reasonFor = (place: string) => failureOf(() => readSession(place)).message.replace(/^.*": /, "");
  expect(reasonFor(join(directory, "none"))).toBe("no such file or directory");
  expect(reasonFor(join(directory, "directory"))).toBe("is neither a regular file nor a pipe");
  expect(reasonFor("/dev/zero")).toBe("is neither a regular file nor a pipe");
  for (const fd of ["0", "1", "2"]) expect(reasonFor(fd)).toBe("a descriptor must be 3 or more");
  expect(reasonFor("999")).toMatch(/bad file descriptor/);
  expect(reasonFor("99999999999")).not.toBe("");
});
