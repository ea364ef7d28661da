import { expect, test } from "vitest";
import { stats } from "../../src/commands/stats.ts";
import { store, storeIo, temporaryDirectory } from "../store/fixture.ts";

async function run(data: string, changed = {}) {
  const { io, said } = storeIo(data);
  const status = await stats({ json: false, ...changed }, io);
  return { status, ...said };
}

test("bytes stored, shown and hidden add up, and tokens are told as an estimate", async () => {
  const data = temporaryDirectory();
  store(data, "x".repeat(1000), { name: "a", shown: { head: 100, tail: 60 } });
  store(data, "x".repeat(500), { name: "b", bytes: 4000, complete: false, shown: { head: 100, tail: 140 } });
  store(data, "x".repeat(50), { name: "c" });
  store(data, "x".repeat(7000), { session: "other" });
  const { status, out, err } = await run(data);
  expect([status, err]).toEqual([0, ""]);
  expect(out).toContain(`stored  3 outputs  1,550 bytes  of 5,050 printed
shown   2 outputs    400 bytes  estimate: 100 tokens
hidden             4,600 bytes  estimate: 1,150 tokens

stored in the last days:
`);
  const lines = out.trimEnd().split("\n");
  expect(lines.at(-1)).toMatch(/^\d{4}-\d\d-\d\d {2}3 outputs {2}1\.5 KiB {2}#{30}$/);
  expect(lines.slice(-7, -1).every((line) => line.endsWith(" -"))).toBe(true);
});

test("the document has the same numbers, of the outputs that the filter lets through", async () => {
  const data = temporaryDirectory();
  store(data, "x".repeat(1000), { name: "a", shown: { head: 100, tail: 60 } });
  store(data, "x", { name: "b" });
  const document = JSON.parse((await run(data, { json: true, named: "a" })).out);
  expect(document).toMatchObject({
    version: 1,
    stored: { count: 1, bytes: 1000, outputBytes: 1000 },
    shown: { count: 1, bytes: 160, hiddenBytes: 840 },
    estimatedTokens: { shown: 40, hidden: 210 },
  });
  expect(document.days).toHaveLength(7);
  expect(document.days[6]).toMatchObject({ count: 1, bytes: 1000 });
});

test("an empty store is told in zeros", async () => {
  const { status, out } = await run(temporaryDirectory());
  expect([status, out.split("\n")[0]]).toEqual([0, "stored  0 outputs  0 bytes  of 0 printed"]);
});
