import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readSync,
  renameSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Asker } from "../../src/store/asker.ts";
import { openStoredOutput } from "../../src/store/open.ts";
import { age, asOther, failureOf, store, temporaryDirectory } from "./fixture.ts";

const nobody: Asker = { session: undefined, anySession: false };
const owner: Asker = { session: undefined, anySession: true };
const of = (session: string): Asker => ({ session, anySession: false });

function read(data: string, reference: string, asker: Asker = nobody): string {
  const output = openStoredOutput(data, reference, asker);
  const bytes = Buffer.alloc(output.size + 1);
  const length = readSync(output.fd, bytes, 0, bytes.length, 0);
  output.close();
  return bytes.toString("utf8", 0, length);
}

const kindOf = (data: string, reference: string, asker: Asker = nobody) =>
  failureOf(() => read(data, reference, asker)).kind;

test("what was stored is read back, by URI, by id and by prefix", () => {
  const data = temporaryDirectory();
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { uri, id } = store(data, text);
      for (const reference of [uri, id, id.slice(0, 20)]) expect(read(data, reference)).toBe(text);
    }),
    { numRuns: 200 },
  );
});

test("an output says what it is", () => {
  const data = temporaryDirectory();
  const { id, ...resource } = store(data, "text", { name: "stderr" });
  const output = openStoredOutput(data, id, nobody);
  output.close();
  expect(output.resource).toEqual(resource);
  expect(output.record).toMatchObject({ id, name: "stderr", lines: 1 });
});

describe("not there", () => {
  const id = "0123456789abABCDEFGHIJKLMN";

  test("an unknown id is not found, with a store or without, and makes none", () => {
    const data = temporaryDirectory();
    expect(kindOf(join(data, "none"), id)).toBe("not-found");
    expect(kindOf(join(data, "none"), id.slice(0, 8))).toBe("not-found");
    expect(kindOf(join(data, "none"), "last")).toBe("not-found");
    store(data, "x");
    expect(kindOf(data, id)).toBe("not-found");
    expect(kindOf(data, id.slice(0, 8))).toBe("not-found");
  });

  test("what gc removed has expired, by id or by prefix", () => {
    const data = temporaryDirectory();
    writeFileSync(join(data, "removed"), `${id} 1700000000000 quota\n`);
    const failure = failureOf(() => read(data, id));
    expect(failure.kind).toBe("expired");
    expect(failure.message).toBe(
      `tool-output://${id} has expired: gc removed it at 2023-11-14T22:13:20.000Z, the store was over its quota`,
    );
    expect(kindOf(data, id.slice(0, 8))).toBe("expired");
    expect(kindOf(data, "last")).toBe("not-found");
  });

  test("a data directory that is a file is trouble, not an empty store", () => {
    const file = join(temporaryDirectory(), "file");
    writeFileSync(file, "");
    expect(kindOf(file, id)).toBe("io");
    expect(kindOf(file, "last")).toBe("io");
  });
});

describe("sessions", () => {
  test("an output is given to its own session and to the owner", () => {
    const data = temporaryDirectory();
    const { id } = store(data, "text", { session: "a" });
    expect(read(data, id, of("a"))).toBe("text");
    expect(read(data, id, owner)).toBe("text");
    expect(kindOf(data, id, of("b"))).toBe("access-denied");
    expect(kindOf(data, id)).toBe("access-denied");
    expect(kindOf(data, id.slice(0, 20), of("b"))).toBe("access-denied");
    const { id: free } = store(data, "free");
    expect(kindOf(data, free, of("a"))).toBe("access-denied");
  });

  test("last is the newest of the session, by the time of its record", () => {
    const data = temporaryDirectory();
    const [first, second, third] = [
      store(data, "first", { session: "a" }),
      store(data, "second", { session: "a" }),
      store(data, "third", { session: "b" }),
    ];
    expect(read(data, "last", of("a"))).toBe("second");
    expect(read(data, "last", owner)).toBe("third");
    expect(kindOf(data, "last")).toBe("not-found");
    age(data, [`${second.id}.json`, `${third.id}.json`], 5000);
    expect(read(data, "last", of("a"))).toBe("first");
    unlinkSync(join(data, "managed", `${first.id}.json`));
    expect(read(data, "last", of("a"))).toBe("second");
  });

  test("a prefix sees only the asker's outputs, and of several says how many", () => {
    const data = temporaryDirectory();
    const ids = ["a", "b", "b"].map((session, i) => {
      const { id } = store(data, `text ${i}`, { session });
      const renamed = `0123456789ab${id.slice(12)}`;
      const path = (name: string) => join(data, "managed", name);
      writeFileSync(path(`${renamed}.json`), readFileSync(path(`${id}.json`), "utf8").replaceAll(id, renamed));
      renameSync(path(`${id}.txt`), path(`${renamed}.txt`));
      unlinkSync(path(`${id}.json`));
      return renamed;
    });
    const several = failureOf(() => read(data, "0123456789", owner));
    expect(several.kind).toBe("usage");
    expect(several.message).toBe("0123456789 is the beginning of 3 stored outputs");
    expect(read(data, (ids[1] as string).slice(0, 25), owner)).toBe("text 1");
    expect(kindOf(data, "0123456789", of("a"))).toBe("access-denied"); // the hash belongs to the id it was made for
  });
});

describe("damage is found before a byte is given", () => {
  const spoilers: Record<string, (payload: string, record: string) => void> = {
    "a payload that is missing": (payload) => unlinkSync(payload),
    "a payload that was cut": (payload) => truncateSync(payload, 3),
    "a payload that grew": (payload) => writeFileSync(payload, "more than before"),
    "a payload with another byte": (payload) => writeFileSync(payload, "texT"),
    "a payload that is a link to a file of the same content": (payload) => {
      renameSync(payload, `${payload}.moved`);
      symlinkSync(`${payload}.moved`, payload);
    },
    "a payload that is a FIFO": (payload) => {
      unlinkSync(payload);
      execFileSync("mkfifo", [payload]);
    },
    "a payload that is a directory": (payload) => {
      unlinkSync(payload);
      mkdirSync(payload);
    },
    "a record that is no JSON": (_payload, record) => writeFileSync(record, "{"),
    "a record that is empty": (_payload, record) => truncateSync(record, 0),
    "a record that is huge": (_payload, record) => truncateSync(record, 64 * 1024 * 1024),
    "a record that is a FIFO": (_payload, record) => {
      unlinkSync(record);
      execFileSync("mkfifo", [record]);
    },
    "a record that is a link": (_payload, record) => {
      renameSync(record, `${record}.moved`);
      symlinkSync(`${record}.moved`, record);
    },
    "a record of another output": (_payload, record) => {
      const text = readFileSync(record, "utf8");
      writeFileSync(record, text.replace(/"id":"0?./, '"id":"f'));
    },
  };
  test.each(Object.keys(spoilers))("%s", (name) => {
    const data = temporaryDirectory();
    const { id, uri } = store(data, "text");
    const path = (ending: string) => join(data, "managed", `${id}.${ending}`);
    spoilers[name]?.(path("txt"), path("json"));
    const failure = failureOf(() => read(data, uri));
    expect(failure.kind).toBe("damaged");
    expect(failure.message).toMatch(new RegExp(`^${uri} is damaged: .+$`));
    expect(kindOf(data, id.slice(0, 20))).toBe("damaged");
  });

  test("a byte changed in a payload too large to sum for every page is not looked for", () => {
    const data = temporaryDirectory();
    const { id } = store(data, "text");
    const record = join(data, "managed", `${id}.json`);
    const text = readFileSync(record, "utf8");
    writeFileSync(record, text.replace('"size":4', `"size":${9 * 1024 * 1024}`));
    truncateSync(join(data, "managed", `${id}.txt`), 9 * 1024 * 1024);
    expect(openStoredOutput(data, id, nobody).size).toBe(9 * 1024 * 1024);
  });
});

test("no name outside the store is reached, whatever lies beside it", () => {
  const data = temporaryDirectory();
  const { id } = store(data, "text");
  for (const ending of ["txt", "json"]) {
    copyFileSync(join(data, "managed", `${id}.${ending}`), join(data, `${id}.${ending}`));
  }
  for (const path of [`../${id}`, `./${id}`, `../managed/${id}`, `managed/${id}`]) {
    expect(kindOf(data, path)).toBe("invalid-uri");
    expect(kindOf(data, `tool-output://${path}`)).toBe("invalid-uri");
  }
});

test.skipIf(process.getuid?.() !== 0)(
  "another user's file in place of the payload is damage (needs root)",
  async () => {
    const data = temporaryDirectory();
    const { id } = store(data, "text");
    const [record, payload] = [`${id}.json`, `${id}.txt`].map((name) => join(data, "managed", name)) as [
      string,
      string,
    ];
    chmodSync(join(data, "managed"), 0o755);
    chownSync(record, 65_534, 65_534);
    chmodSync(payload, 0o644);
    const failure = await asOther(data, () => failureOf(() => read(data, id)));
    expect(failure).toMatchObject({
      kind: "damaged",
      message: expect.stringMatching(/no regular file of this user's$/),
    });
  },
);
