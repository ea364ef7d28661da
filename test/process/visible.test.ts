/** On a real terminal, by script(1), which gives its command one and copies what comes out. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Sandbox, seq } from "./sandbox.ts";

const hasScript = spawnSync("script", ["--version"]).error === undefined;

/** Colours, a title, C1 controls as UTF-8 and as a byte, marks of direction, and a carriage return that hides a line. */
const hostile = Buffer.concat([
  Buffer.from(
    "\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u009b2J \u202egnp.exe \u2066x\u2069 \u200f\u061c secret\rshown\n",
  ),
  Buffer.from([0x9b, 0x32, 0x4a, 0x0a]),
  Buffer.from("tab\tend\r\n"),
]);
const shown = [
  "\\u{1b}[31mred\\u{1b}[0m \\u{1b}]0;title\\u{7} \\u{9b}2J \\u{202e}gnp.exe \\u{2066}x\\u{2069} \\u{200f}\\u{61c} secret\\u{d}shown",
  "\\x9b2J",
  "tab\tend",
];
/** What a terminal would obey; CR comes from the terminal's own line ends. */
const obeyed = /(?!\t|\n|\r+\n)[\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/u;

/** Without a pager: less(1) sends the terminal more than the text. */
async function onTerminal(sandbox: Sandbox, line: string, pager = ""): Promise<string> {
  const options = { args: [line], env: { TERM: "xterm", TOOLOUT_PAGER: pager } };
  const ended = await sandbox.bash(`script -qec "$1" /dev/null </dev/null`, options);
  return ended.stdout.toString().replace(/\r+\n/g, "\n");
}

describe.skipIf(!hasScript)("on a terminal (skipped without script)", () => {
  it("a stored output shows what a terminal would obey, page by page, and is raw elsewhere", async () => {
    const sandbox = new Sandbox();
    const input = Buffer.concat([hostile, Buffer.from(seq(3000))]);
    await sandbox.run(["pipe"], { input });
    const page = await onTerminal(sandbox, "toolout read last --lines 3 2>/dev/null");
    expect(page).toBe(`${shown.join("\n")}\n`);
    expect(await onTerminal(sandbox, "toolout read last --lines 3", "cat -u")).toBe(page);
    const raw = await sandbox.run(["read", "last", "--lines", "3"]);
    expect(raw.stdout.equals(hostile)).toBe(true);
    const pages = await Promise.all(
      Array.from({ length: 12 }, (_, i) => onTerminal(sandbox, `toolout read last --limit 1024 --offset ${5 * i}`)),
    );
    for (const text of pages) expect(text).not.toMatch(obeyed);
  });

  it("grep does the same, of what it finds and of what stands around", async () => {
    const sandbox = new Sandbox();
    await sandbox.run(["pipe"], { input: Buffer.concat([hostile, Buffer.from(seq(3000))]) });
    const found = await onTerminal(sandbox, "toolout grep -C 2 tab last");
    expect(found).toContain(`1-0-${shown[0]}\n`);
    expect(found).not.toMatch(obeyed);
    const raw = await sandbox.run(["grep", "red", "last"]);
    expect(raw.stdout.toString()).toContain("\u001b[31mred");
  });

  it("no name drives it: of an output, of a file, of a directory's entries, of a session, in a message", async () => {
    const sandbox = new Sandbox();
    const name = "\u001b]0;x\u0007\u202e\u009b2J";
    await sandbox.run(["pipe", "--name", name, "--call", name], { input: seq(3000) });
    mkdirSync(join(sandbox.work, "files"));
    writeFileSync(join(sandbox.work, "files", name), seq(3));
    for (const line of [
      "toolout list",
      "toolout show last",
      "toolout list --json",
      "toolout read files",
      "toolout read files/* --lines 1",
      "toolout read no*such; toolout read files/*x",
      `toolout run --session '${name}' --profile '${name}' true`,
      `toolout run -- '${name}'`,
      `toolout '${name}'`,
      `toolout read last --session-file '${name}'`,
      `toolout config get '${name}'`,
    ]) {
      const text = await onTerminal(sandbox, `export NO_COLOR=1; ${line}`);
      expect(text, line).not.toMatch(obeyed);
      expect(text, line).not.toBe("");
    }
  });

  it("what run and pipe print is the command's own", async () => {
    const sandbox = new Sandbox();
    writeFileSync(join(sandbox.work, "hostile"), hostile);
    for (const line of ["toolout run cat hostile", "toolout pipe <hostile"]) {
      expect(await onTerminal(sandbox, line)).toContain("\u001b[31mred\u001b[0m");
    }
  });
});
