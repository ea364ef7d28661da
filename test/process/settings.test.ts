import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Sandbox, seq } from "./sandbox.ts";

function writeConfig(sandbox: Sandbox, config: object): void {
  mkdirSync(join(sandbox.directory, "config", "toolout"), { recursive: true });
  writeFileSync(join(sandbox.directory, "config", "toolout", "config.json"), JSON.stringify(config));
}

function countLines(bytes: Buffer): number {
  return bytes.toString("latin1").split("\n").length - 1;
}

describe("a limit", () => {
  it("is taken from the flag, the environment, the profile, the file, in this order, by run and by pipe", async () => {
    const sandbox = new Sandbox();
    writeConfig(sandbox, { maxLines: 20, profiles: { wide: { maxLines: 30 } } });
    const steps = [
      { options: [], env: {}, lines: 20 },
      { options: ["--profile", "wide"], env: {}, lines: 30 },
      { options: [], env: { TOOLOUT_PROFILE: "wide" }, lines: 30 },
      { options: ["--profile", "wide"], env: { TOOLOUT_MAX_LINES: "40" }, lines: 40 },
      { options: ["--profile", "wide", "--max-lines", "50"], env: { TOOLOUT_MAX_LINES: "40" }, lines: 50 },
    ];
    for (const { options, env, lines } of steps) {
      const ran = await sandbox.run(["run", ...options, "--", "seq", "3000"], { env });
      const piped = await sandbox.run(["pipe", ...options], { env, input: seq(3000) });
      for (const ended of [ran, piped]) {
        expect([countLines(ended.stdout), ended.stderr, ended.status]).toEqual([lines, "", 0]);
      }
    }
  });

  it("holds from the next command on once it is set, until it is unset", async () => {
    const sandbox = new Sandbox();
    const lines = async () => countLines((await sandbox.run(["run", "--", "seq", "3000"])).stdout);
    expect(await lines()).toBe(2000);
    expect((await sandbox.run(["config", "set", "maxLines", "9"])).status).toBe(0);
    expect(await lines()).toBe(9);
    expect((await sandbox.run(["config", "unset", "maxLines"])).status).toBe(0);
    expect(await lines()).toBe(2000);
  });

  it("out of range in the file is clamped, with one warning", async () => {
    const sandbox = new Sandbox();
    writeConfig(sandbox, { maxBytes: 60 });
    const ended = await sandbox.run(["run", "--", "sh", "-c", "seq 3000; exit 6"]);
    expect(ended.status).toBe(6);
    expect(ended.stdout.length).toBeLessThanOrEqual(1024);
    expect(ended.stdout.toString().endsWith("\n3000\n")).toBe(true);
    expect(ended.stderr).toMatch(/^toolout: [^\n]*maxBytes[^\n]*\n$/);
  });

  it("in characters counts UTF-16 units, each command by its own", async () => {
    const sandbox = new Sandbox();
    const text = "\u4e2d\u6587\ud83c\udf11\n".repeat(2000);
    const ran = await sandbox.run(["run", "--profile", "deepchat", "--max-bytes", "1MiB", "--", "cat"], {
      input: text,
    });
    const piped = await sandbox.run(["pipe", "--profile", "deepchat"], { input: text });
    for (const [{ stdout }, units] of [
      [ran, 12_000],
      [piped, 5000],
    ] as const) {
      const shown = new TextDecoder("utf-8", { fatal: true }).decode(stdout);
      expect(shown.length).toBeLessThanOrEqual(units);
      expect(shown.length).toBeGreaterThan(units / 2);
    }
  });

  it("shifts the preview by headPercent", async () => {
    const sandbox = new Sandbox();
    for (const [percent, head] of [
      [0, 0],
      [20, 20],
      [100, 100],
    ] as const) {
      const options = ["--max-lines", "104", "--head-percent", `${percent}`];
      const { stdout } = await sandbox.run(["run", ...options, "--", "seq", "3000"]);
      const [shownHead, shownTail] = stdout.toString().split(/\n?\n\.\.\. output truncated.*\n.*\n\n/);
      expect(shownHead).toBe(seq(head).trimEnd());
      expect(shownTail).toBe(seq(3000, 3001 - (100 - head)));
    }
  });
});
