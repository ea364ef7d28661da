/** `read` at a terminal: all of it, through the pager. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { program, Sandbox, seq } from "./sandbox.ts";
import { hasTerminal, Terminal } from "./terminal.ts";

/** Says how much came in, and shows the first and the last line. */
const pagerScript = `#!/bin/sh
tee got | wc -l
echo "$LESS"
echo seen
`;

function readAtTerminal(sandbox: Sandbox, env: string[], args: string[]): Terminal {
  writeFileSync(join(sandbox.directory, "bin/counting"), pagerScript);
  chmodSync(join(sandbox.directory, "bin/counting"), 0o755);
  writeFileSync(join(sandbox.work, "numbers"), seq(30_000));
  return new Terminal(sandbox, ["env", "TERM=xterm", ...env, process.execPath, program, "read", "numbers", ...args]);
}

const test = it.skipIf(!hasTerminal);

test.each([
  { env: ["PAGER=counting"], args: [], lines: 30_000 },
  { env: ["PAGER=false", "TOOLOUT_PAGER=counting -x"], args: ["--tail", "20000"], lines: 20_000 },
  { env: ["PAGER=counting"], args: ["--lines", "100:20000"], lines: 19_901 },
  { env: ["PAGER=counting"], args: ["--offset", "2", "--lines", "5"], lines: 5 },
])("the pager of $env gets all that $args asks for", async ({ env, args, lines }) => {
  const terminal = readAtTerminal(new Sandbox(), env, args);
  await terminal.shows(`${lines}\nFRX\nseen\n`);
  expect(await terminal.ended()).toBe(0);
});

test("a pager that leaves early is no trouble", async () => {
  const terminal = readAtTerminal(new Sandbox(), ["PAGER=head -n 1"], []);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen).toBe("1\n");
});

test.each([
  { env: ["PAGER="], args: [] },
  { env: ["PAGER=cat"], args: [] },
  { env: ["PAGER=counting", "TERM=dumb"], args: [] },
  { env: ["PAGER=counting"], args: ["--limit", "50KiB", "--lines", "1999"] },
])("a page is printed with $env $args", async ({ env, args }) => {
  const terminal = readAtTerminal(new Sandbox(), env, args);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen).toContain(`${seq(1999)}toolout: up to byte`);
});

test("a pager that is not there is told by the shell, and the page is printed", async () => {
  const terminal = readAtTerminal(new Sandbox(), ["PAGER=no-such-pager"], []);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen).toContain("no-such-pager");
  expect(terminal.screen).toContain(`${seq(1999)}toolout: up to byte`);
});
