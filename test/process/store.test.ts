import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Sandbox, seq, uriPattern } from "./sandbox.ts";

describe("a stored output", () => {
  it("has names, modes and a record that others can rely on, whatever the umask", async () => {
    for (const mask of ["000", "022", "077", "277"]) {
      const sandbox = new Sandbox();
      await sandbox.bash(`umask ${mask}; seq 3000 | toolout pipe >/dev/null`);
      const id = sandbox.list(sandbox.managed)[0]?.slice(0, 26);
      expect(sandbox.list(sandbox.managed)).toEqual([`${id}.json`, `${id}.txt`]);
      const store = join(sandbox.directory, "data", "toolout");
      for (const entry of readdirSync(store, { recursive: true, withFileTypes: true })) {
        const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
        expect(mode).toBe(entry.isDirectory() ? 0o700 : 0o600);
      }
    }
  });

  it("is closed to others even in a directory that was made wider before", async () => {
    const sandbox = new Sandbox();
    await sandbox.bash(`umask 000; mkdir -p "$1"; seq 3000 | toolout pipe >/dev/null`, { args: [sandbox.managed] });
    expect(statSync(sandbox.managed).mode & 0o777).toBe(0o700);
    for (const name of sandbox.list(sandbox.managed)) {
      expect(statSync(join(sandbox.managed, name)).mode & 0o777).toBe(0o600);
    }
  });

  it("holds neither the command line nor the environment, unless the first is asked for", async () => {
    const sandbox = new Sandbox();
    const env = { API_KEY: "value-of-the-variable" };
    const command = ["--", "sh", "-c", "seq 3000", "sh", "--password=secret-argument"];
    await sandbox.run(["run", ...command], { env });
    const files = () => readdirSync(sandbox.directory, { recursive: true, withFileTypes: true });
    const texts = () =>
      files()
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
        .join();
    expect(texts()).toContain("\n3000\n");
    expect(texts()).not.toMatch(/secret-argument|value-of-the-variable/);
    await sandbox.run(["run", "--record-command", ...command], { env });
    expect(texts()).toContain("secret-argument");
    expect(texts()).not.toContain("value-of-the-variable");
  });

  it("is its own among 40 that are made at the same time", async () => {
    const sandbox = new Sandbox();
    const numbers = Array.from({ length: 40 }, (_, i) => i);
    const ended = await Promise.all(numbers.map((i) => sandbox.run(["run", "-c", `echo run-${i}; seq 3000`])));
    const uris = ended.map(({ stdout }) => uriPattern.exec(stdout.toString())?.[0]);
    expect(new Set(uris).size).toBe(40);
    for (const i of numbers) {
      const payload = readFileSync(join(sandbox.managed, `${uris[i]?.slice(14)}.txt`), "utf8");
      expect(payload === `run-${i}\n${seq(3000)}`).toBe(true);
      expect(ended[i]?.stdout.toString().startsWith(`run-${i}\n1\n`)).toBe(true);
    }
  });

  it("is reached through previews of previews", async () => {
    const sandbox = new Sandbox();
    const shown = await sandbox.bash(
      "seq 9000 | toolout pipe | toolout pipe --max-lines 50 | toolout pipe --max-lines 9",
    );
    expect(shown.stdout.toString().endsWith("\n9000\n")).toBe(true);
    let text = shown.stdout.toString();
    for (let depth = 0; text !== seq(9000); depth += 1) {
      expect(depth).toBeLessThan(3);
      const uri = uriPattern.exec(text)?.[0] ?? "no URI is left";
      text = (await sandbox.run(["read", uri, "--limit", "1MiB"])).stdout.toString();
    }
    expect(sandbox.payloads().length).toBe(3);
  });

  it("goes with rm and stays with the others", async () => {
    const sandbox = new Sandbox();
    for (const last of [3000, 3001]) await sandbox.run(["pipe"], { input: seq(last) });
    expect((await sandbox.run(["rm", "last"])).status).toBe(0);
    expect(sandbox.payloads().map(String)).toEqual([seq(3000)]);
    expect((await sandbox.run(["gc"])).status).toBe(0);
    expect(sandbox.payloads().map(String)).toEqual([seq(3000)]);
  });
});
