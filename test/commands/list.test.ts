import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { list } from "../../src/commands/list.ts";
import type { Limits } from "../../src/limits.ts";
import { age, store, storeIo, temporaryDirectory } from "../store/fixture.ts";

const limits = { maxLines: 2000, maxBytes: 51_200 } as Limits;

async function run(data: string, changed = {}, changedLimits: Partial<Limits> = {}) {
  const { io, said } = storeIo(data, { TOOLOUT_SESSION: "a" });
  const status = await list({ json: false, anySession: false, ...changed }, { ...limits, ...changedLimits }, io);
  return { status, ...said };
}

test("a store that is empty is told on stderr only", async () => {
  const data = join(temporaryDirectory(), "none");
  expect(await run(data)).toEqual({ status: 0, out: "", err: "toolout: no stored output of this session\n" });
  expect((await run(data, { anySession: true })).err).toBe("toolout: no stored output\n");
  expect(await run(data, { json: true })).toEqual({ status: 0, out: '{"version":1,"resources":[]}\n', err: "" });
});

test("a line says what, how old, how much, how it ended", async () => {
  const data = temporaryDirectory();
  const one = store(data, "x", { session: "a", exitCode: 3, lines: 1234, complete: false });
  const two = store(data, "text", { session: "a", signal: "SIGTERM", name: "stderr" });
  const three = store(data, "text", { session: "a", name: "output" });
  age(data, [`${two.id}.json`], 60_000);
  age(data, [`${one.id}.json`], 120_000);
  expect((await run(data)).out.replace(/ {2}\d+s /g, "  0s ")).toBe(
    `${three.uri}  0s  4 bytes       1 line  -                output
${two.uri}  0s  4 bytes       1 line  SIGTERM          stderr
${one.uri}  0s   1 byte  1,234 lines  exit 3, in part  stdout
`,
  );
});

test("only the session's outputs are listed, newest first; all of them to the owner", async () => {
  const data = temporaryDirectory();
  const [first, other, last] = ["a", "b", "a"].map((session) => store(data, "text", { session }).uri);
  const uris = async (changed: object) =>
    JSON.parse((await run(data, { json: true, ...changed })).out).resources.map(({ uri }: { uri: string }) => uri);
  expect(await uris({})).toEqual([last, first]);
  expect(await uris({ session: "b" })).toEqual([other]);
  expect(await uris({ session: "" })).toEqual([]);
  expect(await uris({ anySession: true })).toEqual([last, other, first]);
});

test("a resource in the document has the metadata", async () => {
  const data = temporaryDirectory();
  const { uri, mime, name, size } = store(data, "text", { session: "a", toolCallID: "c" });
  const { version, resources } = JSON.parse((await run(data, { json: true })).out);
  expect(version).toBe(1);
  expect(resources).toMatchObject([{ uri, mime, name, size, lines: 1, bytes: 4, complete: true, toolCallID: "c" }]);
  expect(Math.abs(Date.now() - resources[0].created)).toBeLessThan(600_000);
});

test("the lines stay inside the limits, and a note says that there are more", async () => {
  const data = temporaryDirectory();
  for (let i = 0; i < 30; i += 1) store(data, "text", { session: "a", name: "🟡".repeat(i * 10) });
  for (const changed of [{ maxLines: 10 }, { maxBytes: 1024 }, { maxLines: 1 }]) {
    const { out, err } = await run(data, {}, changed);
    expect(out.trimEnd().split("\n").length).toBeLessThanOrEqual(changed.maxLines ?? 2000);
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(changed.maxBytes ?? 51_200);
    expect(out).not.toBe("");
    expect(err).toBe("toolout: older ones are not listed here; --json lists all\n");
    expect(JSON.parse((await run(data, { json: true }, changed)).out).resources).toHaveLength(30);
  }
  expect((await run(data, {}, { maxLines: 30 })).err).toBe("");
});

test("names cannot drive a terminal, and the document still says them", async () => {
  const data = temporaryDirectory();
  const name = "\u001b]0;title\u0007\n\u202e\u009b2J";
  store(data, "text", { session: "a", name });
  const { out } = await run(data);
  expect(out).toMatch(/ {2}\\u\{1b\}\]0;title\\u\{7\}\\u\{a\}\\u\{202e\}\\u\{9b\}2J\n$/);
  const document = (await run(data, { json: true })).out;
  expect(document.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(document).resources[0].name).toBe(name);
});

test("a broken record is left out", async () => {
  const data = temporaryDirectory();
  const { id } = store(data, "text", { session: "a" });
  const { uri } = store(data, "text", { session: "a" });
  writeFileSync(join(data, "managed", `${id}.json`), "{");
  const { out } = await run(data, { anySession: true });
  expect(out).toContain(uri);
  expect(out).not.toContain(id);
});

async function runAtTerminal(data: string, columns: number, changed = {}) {
  const { io, said } = storeIo(data, { COLUMNS: `${columns}` });
  const status = await list({ json: false, ...changed }, limits, { ...io, stdout: { ...io.stdout, isTerminal: true } });
  return { status, lines: said.out.trimEnd().split("\n"), ...said };
}

test("on a terminal it is a table that fits, with the beginnings of IDs that name the outputs", async () => {
  const data = temporaryDirectory();
  const [first, second] = [
    store(data, "x".repeat(2048), {
      name: "a name that is much too long for the line, and goes on",
      lines: 1234,
      exitCode: 3,
    }),
    store(data, "x", { name: "名前".repeat(30) }),
  ];
  const { lines } = await runAtTerminal(data, 60);
  expect(lines[0]).toMatch(/^ID +AGE +SIZE +LINES +STATUS +NAME$/);
  expect(lines[1]).toMatch(/^[0-9a-zA-Z]{10,26} +\d+[sm] ago +1 B +1 {2}- +(名前)+名?…$/);
  expect(lines[2]).toMatch(/^[0-9a-zA-Z]{10,26} +\d+[sm] ago {2}2\.0 KiB {2}1,234 {2}exit 3 {2}a name that .*…$/);
  expect(lines[2]).toHaveLength(60);
  for (const [line, { id }] of [
    [lines[1], second],
    [lines[2], first],
  ] as const) {
    const prefix = line?.split(" ")[0] as string;
    expect(id.startsWith(prefix)).toBe(true);
    expect([first, second].filter((one) => one.id.startsWith(prefix))).toHaveLength(1);
  }
});

test("a terminal's table has no title over nothing", async () => {
  const { out, err } = await runAtTerminal(temporaryDirectory(), 80);
  expect([out, err]).toEqual(["", "toolout: no stored output of this session\n"]);
});

test("--since and --name choose, and say so when nothing is as they ask", async () => {
  const data = temporaryDirectory();
  const { uri } = store(data, "x", { session: "a", name: "build" });
  store(data, "x", { session: "a", name: "test" });
  expect((await run(data, { named: "b*", since: "1h" })).out).toContain(uri);
  expect((await run(data, { named: "b*", since: "1h" })).out.split("\n")).toHaveLength(2);
  expect((await run(data, { named: "c" })).err).toBe(
    "toolout: no stored output of this session is as --since and --name ask\n",
  );
});
