import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configEdit, configGet, configList, configPath, configSet, configUnset } from "../../src/commands/config.ts";
import type { Environment, Io } from "../../src/io.ts";
import { memoryIo } from "./memory-io.ts";

let root: string;
let file: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "toolout-command-"));
  file = join(root, "toolout/config.json");
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const stored = () => JSON.parse(readFileSync(file, "utf8"));

/** Runs one of the commands and gives back all that it had to say. */
async function say<Request>(
  command: (request: Request, io: Io) => Promise<number>,
  request: Request,
  env: Environment = {},
) {
  const { io, written } = memoryIo({ XDG_CONFIG_HOME: root, ...env });
  const status = await command(request, io);
  return { status, out: written.out.toString(), err: written.err.toString() };
}

describe("list", () => {
  test("shows every limit in columns with its value and origin", async () => {
    write('{"maxLines": 12, "profiles": {"a": {"maxBytes": "60KiB"}}}');
    const { status, out, err } = await say(configList, { json: false, profile: "a" }, { TOOLOUT_RETENTION: "2h" });
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toBe(`maxLines      12     file
maxBytes      60KiB  profile a
runChars      unset  built-in
pipeChars     unset  built-in
readChars     unset  built-in
headPercent   50     built-in
captureBytes  1MiB   built-in
overflow      store  built-in
storeBytes    64MiB  built-in
quotaBytes    2GiB   built-in
readBytes     50KiB  built-in
lineChars     2000   built-in
retention     2h     environment
redact        false  built-in
`);
  });

  test("gives a document with values in base units", async () => {
    const { out } = await say(configList, { json: true });
    const { version, limits } = JSON.parse(out);
    expect(version).toBe(1);
    expect(limits).toHaveLength(14);
    expect(limits[2]).toEqual({ key: "runChars", value: null, origin: "built-in", unit: "characters" });
    expect(limits[12]).toEqual({ key: "retention", value: 604_800_000, origin: "built-in", unit: "milliseconds" });
  });

  test("names on one line what is wrong in the file", async () => {
    write('{"maxLine": 1, "maxLines": 0, "profiles": {"a": {"x": 1}}}');
    const { status, out, err } = await say(configList, { json: false });
    expect(err).toBe(
      "toolout: config.json: maxLine is not a limit; maxLines 0 is not in 1 - 1,000,000; profiles.a.x is not a limit\n",
    );
    expect(status).toBe(0);
    expect(out).toMatch(/^maxLines +1 +file$/m);
  });

  test("works without a home", async () => {
    const { status, out } = await say(configList, { json: false }, { XDG_CONFIG_HOME: "", HOME: "" });
    expect([status, out.split("\n").length]).toEqual([0, 15]);
  });
});

describe("get", () => {
  test("prints the value in force in a form that set takes", async () => {
    write('{"retention": 5400000, "profiles": {"a": {"maxBytes": 2048}}}');
    expect(await say(configGet, { key: "retention", json: false })).toEqual({ status: 0, out: "1h30m\n", err: "" });
    expect((await say(configGet, { key: "maxBytes", json: false })).out).toBe("50KiB\n");
    expect((await say(configGet, { key: "maxBytes", json: false, profile: "a" })).out).toBe("2KiB\n");
    expect((await say(configGet, { key: "profiles.a.maxBytes", json: false })).out).toBe("2KiB\n");
    expect((await say(configGet, { key: "profiles.deepchat.runChars", json: false })).out).toBe("12000\n");
    expect((await say(configGet, { key: "runChars", json: false })).out).toBe("unset\n");
    expect(JSON.parse((await say(configGet, { key: "maxBytes", json: true })).out)).toEqual({
      version: 1,
      key: "maxBytes",
      value: 51_200,
      origin: "built-in",
      unit: "bytes",
    });
  });

  test.each(["maxline", "profiles.nobody.maxLines", "profiles.__proto__.maxLines"])(
    "%s is a usage error",
    async (key) => {
      await expect(say(configGet, { key, json: false })).rejects.toMatchObject({ kind: "usage" });
    },
  );
});

describe("set and unset", () => {
  test("numbers are written as numbers, sizes and durations as they were said", async () => {
    await say(configSet, { key: "maxLines", value: "12" });
    await say(configSet, { key: "maxBytes", value: "60KiB" });
    await say(configSet, { key: "redact", value: "true" });
    await say(configSet, { key: "profiles.reviewer.runChars", value: "20000" });
    const profiles = { reviewer: { runChars: 20_000 } };
    expect(stored()).toEqual({ maxLines: 12, maxBytes: "60KiB", redact: true, profiles });
    expect((await say(configGet, { key: "redact", json: false })).out).toBe("true\n");
    expect((await say(configGet, { key: "maxBytes", json: false })).out).toBe("60KiB\n");
  });

  test("what is not known is kept, and an emptied profile goes", async () => {
    write('{"later": [1], "maxLines": 3, "profiles": {"a": {"maxLines": 4}}}');
    await say(configUnset, { key: "profiles.a.maxLines" });
    await say(configUnset, { key: "maxLines" });
    expect(stored()).toEqual({ later: [1] });
  });

  test("unset of what is not set is fine and writes nothing", async () => {
    expect(await say(configUnset, { key: "maxLines" })).toEqual({ status: 0, out: "", err: "" });
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ["maxLines", "0"],
    ["maxLines", ""],
    ["maxLines", "1.5"],
    ["retention", "5"],
    ["overflow", "maybe"],
    ["profiles.a.maxBytes", "12"],
    ["maxline", "5"],
    ["profiles.-x.maxLines", "5"],
    ["profiles.__proto__.maxLines", "5"],
    ["__proto__", "5"],
  ])("set %s %j is refused by name before anything is written", async (key, value) => {
    await expect(say(configSet, { key, value })).rejects.toMatchObject({ kind: "usage" });
    expect(existsSync(file)).toBe(false);
  });

  test("without a home both say so", async () => {
    const env = { XDG_CONFIG_HOME: "", HOME: "" };
    await expect(say(configSet, { key: "maxLines", value: "5" }, env)).rejects.toMatchObject({ kind: "io" });
    await expect(say(configPath, {}, env)).rejects.toMatchObject({ kind: "io" });
  });
});

describe("a broken file", () => {
  beforeEach(() => {
    write("{bad");
  });
  afterEach(() => {
    expect(readFileSync(file, "utf8")).toBe("{bad");
  });

  test("is reported once by list and get, which still show what is in force", async () => {
    for (const listed of [
      await say(configList, { json: false }, { TOOLOUT_MAX_LINES: "7" }),
      await say(configGet, { key: "maxLines", json: false }, { TOOLOUT_MAX_LINES: "7" }),
    ]) {
      expect(listed.status).toBe(1);
      expect(listed.err).toMatch(/^toolout: .*config\.json is not JSON: .*\n$/);
      expect(listed.out).toMatch(/\b7\b/);
    }
  });

  test("is left alone by set and unset, which fail", async () => {
    await expect(say(configSet, { key: "maxLines", value: "5" })).rejects.toMatchObject({ kind: "io" });
    await expect(say(configUnset, { key: "maxLines" })).rejects.toMatchObject({ kind: "io" });
  });
});

test("path prints where the file is, there or not", async () => {
  expect(await say(configPath, {})).toEqual({ status: 0, out: `${file}\n`, err: "" });
});

describe("edit", () => {
  const writing = (text: string) => `printf '%s' '${text}' | tee`;
  const quiet = (text: string) => `f() { ${writing(text)} "$1" > /dev/null; }; f`;

  test("makes the file, opens it in VISUAL before EDITOR, and finds nothing wrong", async () => {
    const edited = await say(configEdit, {}, { VISUAL: "grep -qx {}", EDITOR: "false" });
    expect(edited).toEqual({ status: 0, out: "", err: "" });
    expect(stored()).toEqual({});
  });

  test.each(["{bad", '{"maxLines": 0}', '{"maxLine": 5}'])("reports %s with status 1 and keeps it", async (text) => {
    const edited = await say(configEdit, {}, { EDITOR: quiet(text) });
    expect(edited.status).toBe(1);
    expect(edited.err).toMatch(/^toolout: .*config\.json.*\n$/);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("mends a broken file", async () => {
    write("{bad");
    expect(await say(configEdit, {}, { EDITOR: quiet('{"maxLines": 5}') })).toEqual({ status: 0, out: "", err: "" });
  });

  test("an editor that fails is a failure", async () => {
    await expect(say(configEdit, {}, { EDITOR: "false" })).rejects.toThrow("the editor false ended with status 1");
  });
});
