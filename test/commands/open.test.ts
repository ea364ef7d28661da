import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { open } from "../../src/commands/open.ts";
import { namesIn, store, storeIo, temporaryDirectory } from "../store/fixture.ts";

test("the editor gets a copy that only its owner can read, and that goes with it", async () => {
  const [data, seen] = [temporaryDirectory(), temporaryDirectory()];
  const { id } = store(data, "text\n");
  const script = join(seen, "editor");
  writeFileSync(
    script,
    'for name; do :; done; cp "$name" "$1/copy"; stat -c %a "$name" >"$1/mode"; echo "$name" >"$1/name"',
  );
  const { io, said } = storeIo(data, { VISUAL: `sh ${script} ${seen}`, EDITOR: "false" });
  expect(await open({ reference: id }, io)).toBe(0);
  expect([said.out, said.err]).toEqual(["", ""]);
  expect(readFileSync(join(seen, "copy"), "utf8")).toBe("text\n");
  expect(readFileSync(join(seen, "mode"), "utf8")).toBe("400\n");
  const name = readFileSync(join(seen, "name"), "utf8").trim();
  expect(name).toContain(id);
  expect(existsSync(name)).toBe(false);
  expect(namesIn(data)).toEqual([`${id}.json`, `${id}.txt`]);
});

test("an editor that fails is told, and another session's output is not opened", async () => {
  const data = temporaryDirectory();
  const { id } = store(data, "text\n");
  const { io } = storeIo(data, { EDITOR: "false" });
  await expect(open({ reference: id }, io)).rejects.toMatchObject({
    kind: "io",
    message: expect.stringContaining("false"),
  });
  await expect(open({ reference: id, session: "b" }, io)).rejects.toMatchObject({ kind: "access-denied" });
});
