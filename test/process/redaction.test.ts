import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { base64Line, keyBlock } from "../redaction/samples.ts";
import { Sandbox, seq } from "./sandbox.ts";

const secret = `ghp_${"a1B2c3".repeat(6)}`;
const shown = "[redacted: github-token]";

/** All that toolout left anywhere. */
function everyFile(sandbox: Sandbox): string {
  return readdirSync(join(sandbox.directory, "data"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join();
}

describe("redact", () => {
  it("masks in what is shown and in what is stored, and says how many", async () => {
    const sandbox = new Sandbox();
    const text = `${seq(3000)}${secret}\n${keyBlock("RSA PRIVATE KEY", [base64Line, base64Line])}\n${seq(2000)}`;
    const masked = text.replace(secret, shown).replaceAll(base64Line, "[redacted: private-key]");
    for (const [args, input] of [
      [["pipe", "--redact"], text],
      [["run", "--redact", "--", "cat"], text],
    ] as const) {
      const ended = await sandbox.run(args, { input });
      expect([ended.status, ended.stderr]).toEqual([0, "toolout: 2 secrets masked\n"]);
      const read = await sandbox.run(["read", "last", "--limit", "1MiB"]);
      expect(read.stdout.toString()).toBe(masked);
      const { resource } = JSON.parse((await sandbox.run(["show", "last", "--json"])).stdout.toString());
      expect(resource).toMatchObject({ redacted: 2, bytes: masked.length, lines: masked.split("\n").length - 1 });
    }
    expect(everyFile(sandbox)).not.toContain(secret);
  });

  it("finds a secret that comes in two writes, and one across a mebibyte", async () => {
    const sandbox = new Sandbox();
    const [half, rest] = [secret.slice(0, 20), secret.slice(20)];
    const slow = await sandbox.run(["run", "--redact", "-c", `printf 'key ${half}'; sleep 0.1; echo ${rest}`]);
    expect([slow.stdout.toString(), slow.stderr]).toEqual([`key ${shown}\n`, "toolout: 1 secret masked\n"]);
    for (const before of [65_536, 1_048_576].map((border) => `${"x\n".repeat(border / 2 - 10)}`)) {
      await sandbox.run(["pipe", "--redact"], { input: `${before}${secret}\nend\n` });
      expect(sandbox.payloads().at(-1)?.toString()).toBe(`${before}${shown}\nend\n`);
    }
  });

  it("is a field in documents and a line in a block, and masks the command line there and in the record", async () => {
    const sandbox = new Sandbox();
    const command = ["--record-command", "--max-lines", "5", "--", "sh", "-c", `echo ${secret}; seq 9`];
    const json = await sandbox.run(["run", "--redact", "--json", ...command]);
    const document = JSON.parse(json.stdout.toString());
    expect(document).toMatchObject({ stdout: { redacted: 1 }, stderr: { redacted: 0 } });
    expect(document.command).toEqual(["sh", "-c", `echo ${shown}; seq 9`]);
    expect(document.stdout.content.startsWith(`${shown}\n`)).toBe(true);
    expect(everyFile(sandbox)).toContain(`echo ${shown}; seq 9`);
    expect(everyFile(sandbox)).not.toContain(secret);
    const block = await sandbox.run(["run", "--redact", "--text", "-c", `echo ${secret} >&2; exit 3`]);
    expect(block.stdout.toString()).toBe(`stderr:\n${shown}\ntoolout: 1 secret masked\nCommand exited with code 3.\n`);
    expect(block.status).toBe(3);
  });

  it("comes from flag, variable, profile and file, and can be taken back", async () => {
    const sandbox = new Sandbox();
    const isMasked = async (args: string[], env = {}) =>
      !(await sandbox.run(["pipe", ...args], { input: `${secret}\n`, env })).stdout.includes(secret);
    expect(await isMasked([])).toBe(false);
    expect(await isMasked([], { TOOLOUT_REDACT: "1" })).toBe(true);
    expect(await isMasked(["--no-redact"], { TOOLOUT_REDACT: "true" })).toBe(false);
    await sandbox.run(["config", "set", "profiles.careful.redact", "true"]);
    expect(await isMasked(["--profile", "careful"])).toBe(true);
    await sandbox.run(["config", "set", "redact", "true"]);
    expect(await isMasked([])).toBe(true);
    expect(await isMasked([], { TOOLOUT_REDACT: "false" })).toBe(false);
  });

  it("leaves every other byte as it was, and says nothing then", async () => {
    const sandbox = new Sandbox();
    const input = Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_, i) => i)), Buffer.from(seq(200_000))]);
    for (const args of [
      ["pipe", "--redact"],
      ["run", "--redact", "--", "cat"],
    ]) {
      const ended = await sandbox.run(args, { input });
      expect([ended.status, ended.stderr]).toEqual([0, ""]);
      expect(sandbox.payloads().at(-1)?.equals(input)).toBe(true);
    }
  });

  it("counts what is masked under the capture cap", async () => {
    const sandbox = new Sandbox();
    const options = ["--redact", "--overflow", "reject", "--capture-bytes", "64KiB"];
    const long = `token=a1${"b2".repeat(50_000)}\n`;
    const fits = await sandbox.run(["pipe", ...options], { input: long });
    expect([fits.status, fits.stdout.toString()]).toEqual([0, "token=[redacted: token]\n"]);
    const last = `${"x".repeat(65_536 - 3)}-----BEGIN`; // held back to the end
    for (const args of [
      ["pipe", ...options],
      ["run", ...options, "--", "cat"],
    ]) {
      const over = await sandbox.run(args, { input: last });
      expect([over.status, over.stdout.length]).toEqual([1, 0]);
      expect(over.stderr).toContain("more than 65,536 bytes");
    }
  });
});
