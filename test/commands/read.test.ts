import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ReadRequest, read } from "../../src/commands/read.ts";
import { type LimitKey, type Limits, limitKeys, limitTable } from "../../src/limits.ts";
import { beginOutput } from "../../src/store/write.ts";
import { memoryIo } from "./memory-io.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "toolout-read-"));
});
afterAll(() => rmSync(root, { recursive: true }));

const defaults = Object.fromEntries(
  limitKeys.map((key: LimitKey) => [key, limitTable[key].default]),
) as unknown as Limits;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}\n`).join("");
const data = () => join(root, "data");

function store(content: string | Buffer, session?: string): string {
  const output = beginOutput(data(), 1 << 30);
  const bytes = Buffer.from(content as string);
  output.write(bytes);
  const lines = bytes.toString("latin1").split("\n").length;
  const facts = { lines, bytes: bytes.length, complete: true, session, toolCallID: undefined };
  return output.commit({ name: "stdout", mime: "text/plain", ...facts }).uri;
}

function file(content: string | Buffer, name = "file.txt"): string {
  writeFileSync(join(root, name), content);
  return join(root, name);
}

async function run(request: ReadRequest, limits: Partial<Limits> = {}, isTerminal = false) {
  const { io, written } = memoryIo({ TOOLOUT_DATA_DIR: data() }, isTerminal);
  const status = await read(request, { ...defaults, ...limits }, io);
  return { status, bytes: written.out, out: String(written.out), err: String(written.err) };
}

const json = async (request: ReadRequest, limits: Partial<Limits> = {}) =>
  JSON.parse((await run({ ...request, json: true }, limits)).out);

const nextOf = (err: string) => /--offset (\d+)\n$/.exec(err)?.[1];

describe("a page of a stored output", () => {
  it("is the raw bytes and a note that leads on; all of them join to the output", async () => {
    const content = numbers(20_000);
    const uri = store(content);
    let joined = "";
    for (let offset: string | undefined = "0"; offset !== undefined; ) {
      const { status, out, err } = await run({ target: uri, offset });
      expect(status).toBe(0);
      joined += out;
      offset = nextOf(err);
      expect(err).toBe(
        offset === undefined
          ? ""
          : `toolout: up to byte ${Number(offset).toLocaleString("en")} of 108,894; next: toolout read ${uri} --offset ${offset}\n`,
      );
    }
    expect(joined).toBe(content);
  });

  it("is whole and without a note when it just fits", async () => {
    expect(await run({ target: store(numbers(2000)) })).toMatchObject({ out: numbers(2000), err: "" });
    const { out, err } = await run({ target: store(numbers(2001)) });
    expect([out, nextOf(err)]).toEqual([numbers(1999), String(numbers(1999).length)]);
  });

  it("stays with its note inside maxBytes and maxLines", async () => {
    const uris = ["line\n".repeat(3000), "中".repeat(3000), `${"x".repeat(300)}\n`.repeat(200)].map((text) =>
      store(text),
    );
    const limits = { maxBytes: fc.integer({ min: 1024, max: 9000 }), maxLines: fc.integer({ min: 2, max: 500 }) };
    const place = fc.oneof(
      fc.nat({ max: 9000 }).map((offset) => ({ offset: String(offset) })),
      fc.integer({ min: 1, max: 600 }).map((tail) => ({ tail: String(tail) })),
      fc.integer({ min: 1, max: 600 }).map((lines) => ({ lines: String(lines), line: "3" })),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...uris), place, fc.record(limits), async (target, request, bounds) => {
        const { bytes, err } = await run({ target, ...request }, bounds);
        const all = Buffer.concat([bytes, Buffer.from(err)]);
        expect(all.length).toBeLessThanOrEqual(bounds.maxBytes);
        expect(all.toString().split("\n").length - 1 + Number(all.at(-1) !== 0x0a)).toBeLessThanOrEqual(
          bounds.maxLines,
        );
      }),
      { numRuns: 500 },
    );
  });

  it("holds readChars units, unless a limit is given", async () => {
    const uri = store("é".repeat(9000));
    expect((await run({ target: uri }, { readChars: 1000 })).out).toBe("é".repeat(1000));
    expect((await json({ target: uri }, { readChars: 1000 })).content).toHaveLength(1000);
    expect((await run({ target: uri, limit: "4096" }, { readChars: 1000 })).out).toHaveLength(2048);
  });

  it("is as large as an explicit limit says", async () => {
    const uri = store(numbers(20_000));
    const { bytes, err } = await run({ target: uri, limit: "80k" });
    expect([bytes.length, nextOf(err)]).toEqual([81_920, "81920"]);
    expect(await run({ target: uri, limit: "4MiB" })).toMatchObject({ out: numbers(20_000), err: "" });
  });

  it("is one document with --json, and nothing on stderr", async () => {
    const uri = store(numbers(20_000));
    const { out, err } = await run({ target: uri, offset: "3", json: true });
    expect(err).toBe("");
    expect(out.indexOf("\n")).toBe(out.length - 1);
    expect(JSON.parse(out)).toEqual({
      version: 1,
      resource: { uri, mime: "text/plain", name: "stdout", size: 108_894 },
      content: numbers(20_000).slice(3, 51_203),
      offset: 3,
      truncated: true,
      next: 51_203,
    });
    expect(await json({ target: uri, offset: "108894" })).toMatchObject({ content: "", truncated: false, next: null });
  });

  it("carries bytes that are no text in base64, and they join to the output", async () => {
    const bytes = Buffer.from(Array.from({ length: 30_000 }, (_, i) => (i * i * 31 + i) % 256));
    const uri = store(bytes);
    const parts: Buffer[] = [];
    for (let next: number | null = 0; next !== null; ) {
      const page = await json({ target: uri, offset: String(next), limit: "1024" });
      parts.push(Buffer.from(page.content, page.encoding ?? "utf8"));
      next = page.next;
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  it("begins at a line and holds so many", async () => {
    const uri = store(numbers(3000));
    expect((await run({ target: uri, line: "1", lines: "2" })).out).toBe("1\n2\n");
    expect((await run({ target: uri, line: "2999", lines: "2" })).out).toBe("2999\n3000\n");
    expect((await run({ target: uri, line: "2999", lines: "2" })).err).toBe("");
    expect((await run({ target: uri, offset: "2", lines: "1" })).out).toBe("2\n");
    expect(await json({ target: uri, line: "3001" })).toMatchObject({ offset: 13_893, content: "", next: null });
    expect(await json({ target: uri, line: "2", lines: "3" })).toMatchObject({
      offset: 2,
      content: "2\n3\n4\n",
      next: 8,
    });
  });

  it("is the end of the output with --tail, and says where the rest of it is", async () => {
    const uri = store(numbers(3000));
    expect(await run({ target: uri, tail: "2" })).toMatchObject({ out: "2999\n3000\n", err: "" });
    const { out, err } = await run({ target: uri, tail: "2500" });
    expect(numbers(3000).endsWith(out) && out.startsWith("1002\n")).toBe(true);
    expect(err).toBe(
      `toolout: the end of 13,893 bytes; what comes before: toolout read ${uri} --offset ${numbers(500).length}\n`,
    );
    const page = await json({ target: uri, tail: "3000", limit: "1024" });
    expect(page).toMatchObject({ truncated: true, next: null, before: 0 });
    expect(page.content.endsWith("\n2999\n3000\n")).toBe(true);
    expect(await json({ target: uri, tail: "1" })).not.toHaveProperty("before");
  });

  it("is found by URI, id, prefix and last, and its note repeats how", async () => {
    const uri = store(numbers(9000), "mine");
    const id = uri.slice("tool-output://".length);
    for (const target of [uri, id, id.slice(0, 20), "last"]) {
      const { err } = await run({ target, session: "mine", limit: "1024" });
      expect(err).toContain(`toolout read ${uri} --session mine --offset 1024\n`);
    }
    const { err } = await run({ target: uri, anySession: true, limit: "1024" });
    expect(err).toContain(`toolout read ${uri} --any-session --offset 1024\n`);
    await expect(run({ target: uri })).rejects.toThrow(expect.objectContaining({ kind: "access-denied" }));
  });

  it("stores nothing", async () => {
    const uri = store(numbers(9000));
    const before = readdirSync(join(data(), "managed"));
    await run({ target: uri });
    expect(readdirSync(join(data(), "managed"))).toEqual(before);
  });

  it("ends its last line on a terminal before the note", async () => {
    const uri = store("x".repeat(60_000));
    expect((await run({ target: uri }, {}, true)).err).toMatch(/^\ntoolout: /);
    expect((await run({ target: uri })).err).toMatch(/^toolout: /);
  });
});

describe("a target", () => {
  it.each(["http://example.org/x", "file:///etc/passwd", "tool-output://../x", "tool-output://"])(
    "that is another URI is refused: %s",
    async (target) => {
      await expect(run({ target })).rejects.toThrow(expect.objectContaining({ kind: "invalid-uri" }));
    },
  );

  it("that is not there is not found", async () => {
    const target = join(root, "none");
    await expect(run({ target })).rejects.toThrow(
      expect.objectContaining({ kind: "not-found", message: `cannot read ${target}: no such file or directory` }),
    );
    await expect(run({ target: "0123456789" })).rejects.toThrow(expect.objectContaining({ kind: "not-found" }));
  });

  it("is not opened before the numbers were understood", async () => {
    await expect(run({ target: "none", lines: "0" })).rejects.toThrow(
      expect.objectContaining({ kind: "usage", message: '--lines must be a whole number of 1 or more, not "0"' }),
    );
  });
});

describe("a page of a file", () => {
  it("is its bytes, with its path in the note and in the document", async () => {
    const path = file(numbers(9000), "it's a file");
    const { out, err } = await run({ target: path, limit: "1024" });
    expect(numbers(9000).startsWith(out)).toBe(true);
    const words = /next: (.*)$/m.exec(err)?.[1]?.replace("toolout read", "printf %s,") ?? "";
    expect(execFileSync("sh", ["-c", words], { encoding: "utf8" })).toBe(`${path},--offset,1024,`);
    expect(await json({ target: path, tail: "1" })).toEqual({
      version: 1,
      resource: { path, mime: "text/plain", name: "it's a file", size: numbers(9000).length },
      content: "9000\n",
      offset: numbers(8999).length,
      truncated: false,
      next: null,
    });
  });

  it("cuts long lines with a note, and reads on from there", async () => {
    const path = file(`${"x".repeat(900_000)}END\nlast\n`);
    const { out, err } = await run({ target: path });
    expect(err).toBe("");
    expect(out).toMatch(/^x+\.\.\. \([\d,]+ bytes cut; read on with --offset \d+\)\nlast\n$/);
    expect((await run({ target: path, offset: "899999" })).out).toBe("xEND\nlast\n");
  });

  it("shows the true end of a last line that is cut, and where the line begins", async () => {
    const path = file(`first\n${"x".repeat(900_000)}END`);
    for (const tail of ["1", "2"]) {
      const { out, err } = await run({ target: path, tail });
      expect(out).toBe(`${"x".repeat(1997)}END`);
      expect(err).toContain(`; what comes before: toolout read ${path} --offset ${tail === "1" ? 6 : 0}\n`);
    }
    const { out, err } = await run({ target: file(`${"x".repeat(3000)}END\n`), tail: "1" });
    expect([out, nextOf(err)]).toEqual([`${"x".repeat(1996)}END\n`, "0"]);
    expect((await run({ target: file(`${"x".repeat(2000)}\n`), tail: "1" })).err).toBe("");
  });

  it("stays with notes inside the limits", async () => {
    const path = file(`${"é".repeat(150)}\n${"x".repeat(99)}\n`.repeat(400), "long");
    const limits = { maxBytes: 2048, maxLines: 20, lineChars: 80 };
    for (const place of [{ offset: "0" }, { offset: "777" }, { tail: "300" }, { line: "9", lines: "30" }]) {
      const { bytes, err } = await run({ target: path, ...place }, limits);
      expect(bytes.length + err.length).toBeLessThanOrEqual(2048);
      expect(String(bytes).split("\n").length - 1).toBeLessThanOrEqual(19);
      expect(err).toMatch(/--offset \d+\n$/);
    }
  });

  it("is refused when it is binary", async () => {
    await expect(run({ target: file("a\0b", "binary") })).rejects.toThrow(
      expect.objectContaining({ kind: "io", message: `${join(root, "binary")} is a binary file` }),
    );
  });
});

describe("a directory", () => {
  it("is listed by names, made safe to show, and its note names the next", async () => {
    const path = join(root, "many");
    mkdirSync(join(path, "below"), { recursive: true });
    for (let i = 0; i < 2500; i += 1) writeFileSync(join(path, `f${10_000 + i}`), "");
    writeFileSync(join(path, "a\x1b[31m\n"), "");
    const first = await run({ target: path });
    expect(first.out.split("\n").slice(0, 3)).toEqual(["below/", "a\\u{1b}[31m\\u{a}", "f10000"]);
    expect(first.err).toBe(`toolout: up to name 1999 of 2502; next: toolout read ${path} --offset 1999\n`);
    const second = await run({ target: path, offset: "1999" });
    expect([second.out.split("\n").at(-2), second.err]).toEqual(["f12499", ""]);
    const page = await json({ target: path });
    expect(page).toMatchObject({ version: 1, offset: 0, truncated: true, next: 2000 });
    expect(page.resource).toEqual({ path, mime: "inode/directory", name: "many", size: 2502 });
    expect(page.entries.slice(0, 2)).toEqual(["below/", "a\x1b[31m\n"]);
    expect(page.entries).toHaveLength(2000);
  });

  it("has no lines", async () => {
    await expect(run({ target: root, tail: "3" })).rejects.toThrow(expect.objectContaining({ kind: "usage" }));
  });
});

describe("what the preview left out", () => {
  function storeShown(content: string, head: number, tail: number, keptBytes = content.length): string {
    const output = beginOutput(data(), keptBytes);
    output.write(Buffer.from(content));
    const facts = { lines: 1, bytes: content.length, complete: keptBytes === content.length, session: undefined };
    const more = { name: "stdout", mime: "text/plain", toolCallID: undefined, shown: { head, tail } };
    return output.commit({ ...facts, ...more }).uri;
  }

  it("is read with --omitted, page by page", async () => {
    const content = numbers(5000);
    const uri = storeShown(content, 1000, 2000);
    let joined = "";
    for (let offset: string | undefined = "0"; offset !== undefined; ) {
      const { out, err } = await run({ target: uri, offset, omitted: true, limit: "4096" });
      joined += out;
      offset = nextOf(err.replace(" --omitted", ""));
      if (offset !== undefined) expect(err).toContain(`toolout read ${uri} --omitted --offset`);
    }
    expect(joined).toBe(content.slice(1000, -2000));
    expect(await json({ target: uri, omitted: true, offset: "20000" })).toMatchObject({ offset: 20_000, next: null });
  });

  it("ends where the stored copy ends", async () => {
    const { out, err } = await run({ target: storeShown("a".repeat(3000), 10, 20, 100), omitted: true });
    expect(out).toBe("a".repeat(90));
    expect(err).toContain("only the first 100 of 3,000 bytes");
    expect((await run({ target: storeShown("a".repeat(3000), 500, 20, 100), omitted: true })).out).toBe("");
  });

  it("is refused of what had no preview, and with lines", async () => {
    for (const target of [store("x"), file("x")]) {
      await expect(run({ target, omitted: true })).rejects.toMatchObject({ kind: "usage" });
    }
    await expect(run({ target: "last", omitted: true, tail: "1" })).rejects.toMatchObject({
      message: "--tail and --omitted exclude each other",
    });
  });
});

it("on a terminal a page stays inside maxBytes as it is shown, and every page moves forward", async () => {
  const content = "\u001b[31m".repeat(3000);
  const target = store(content);
  let joined = "";
  for (let offset: string | undefined = "0"; offset !== undefined; ) {
    const { out, err } = await run({ target, offset }, { maxBytes: 2048 }, true);
    expect(Buffer.byteLength(out + err)).toBeLessThanOrEqual(2048 + 1);
    joined += out;
    offset = nextOf(err);
  }
  expect(joined).toBe("\\u{1b}[31m".repeat(3000));
});
