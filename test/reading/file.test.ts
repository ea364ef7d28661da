import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFile } from "../../src/reading/file.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "toolout-file-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function make(content: string | Uint8Array): string {
  const path = join(root, "file");
  writeFileSync(path, content);
  return path;
}

function contentOf(path: string): string {
  const { source, close } = openFile(path);
  const text = source.read(0, source.size).toString();
  close();
  return text;
}

describe("openFile", () => {
  it("reads at any place, as far as the file goes", () => {
    const { kind, source, close } = openFile(make("0123456789"));
    expect(kind).toBe("file");
    expect(source.size).toBe(10);
    expect([source.read(2, 3), source.read(8, 99), source.read(10, 1), source.read(99, 1)].map(String)).toEqual([
      ...["234", "89", "", ""],
    ]);
    const into = Buffer.alloc(20);
    expect(String(source.read(4, 2, into))).toBe("45");
    expect(into.toString("latin1", 0, 3)).toBe("45\0");
    close();
  });

  it.each([
    ["empty", ""],
    ["text of two bytes a character", "é".repeat(9000)],
    ["a character over the end of the bytes looked at", `${"a".repeat(8191)}€`],
    ["colours", "\x1b[31mred\x1b[0m\n".repeat(50)],
    ["some Latin-1", Buffer.concat([Buffer.from("plain text ".repeat(9)), Buffer.from([0xe9, 0xe8])])],
  ])("takes as text: %s", (_name, content) => {
    expect(contentOf(make(content))).toBe(Buffer.from(content).toString());
  });

  it.each([
    ["a NUL byte", "text\0text"],
    ["mostly controls", "\x01\x02\x03ab"],
    ["mostly bytes that are no UTF-8", Buffer.from([0x61, 0xff, 0xfe, 0x62])],
  ])("refuses as binary: %s", (_name, content) => {
    const path = make(content);
    expect(() => openFile(path)).toThrow(expect.objectContaining({ kind: "io", message: `${path} is a binary file` }));
  });

  it("reads files that do not say their size", () => {
    expect(contentOf("/proc/self/status")).toMatch(/^Name:/);
    expect(contentOf("/proc/cpuinfo").length).toBeGreaterThan(10);
    expect(contentOf("/sys/devices/system/cpu/online")).toBe(readFileSync("/sys/devices/system/cpu/online", "utf8"));
  });

  it("follows a link, and knows a directory", () => {
    make("there");
    symlinkSync("file", join(root, "link"));
    expect(contentOf(join(root, "link"))).toBe("there");
    const directory = openFile(root);
    expect([directory.kind, directory.source.size]).toEqual(["directory", 0]);
    directory.close();
  });

  it("refuses a FIFO without waiting for a writer", () => {
    execFileSync("mkfifo", [join(root, "fifo")]);
    expect(() => openFile(join(root, "fifo"))).toThrow(
      expect.objectContaining({ kind: "io", message: `${root}/fifo is a FIFO, not a file` }),
    );
  });

  it("refuses a device and a socket", async () => {
    expect(() => openFile("/dev/null")).toThrow("/dev/null is a device, not a file");
    const server = createServer().listen(join(root, "socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    expect(() => openFile(join(root, "socket"))).toThrow("socket is a socket or a device, not a file");
    await new Promise((resolve) => server.close(resolve));
  });

  it("says what is not there, with nothing in the name that a terminal would obey", () => {
    expect(() => openFile(join(root, "no\x1bne"))).toThrow(
      expect.objectContaining({
        kind: "not-found",
        message: `cannot read ${root}/no\\u{1b}ne: no such file or directory`,
      }),
    );
    make("");
    expect(() => openFile(join(root, "file/below"))).toThrow(expect.objectContaining({ kind: "not-found" }));
  });

  it("says why the system refused to read", () => {
    // proc(5): nothing is mapped at address 0, and reading there is an EIO.
    expect(() => openFile("/proc/self/mem")).toThrow(
      expect.objectContaining({ kind: "io", message: "cannot read /proc/self/mem: input/output error" }),
    );
  });

  it("does not take a loop of links for a file that is not there", () => {
    mkdirSync(join(root, "in"));
    symlinkSync("loop", join(root, "loop"));
    expect(() => openFile(join(root, "loop"))).toThrow(expect.objectContaining({ kind: "io" }));
  });
});
