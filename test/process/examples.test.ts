import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Sandbox } from "./sandbox.ts";
import { hasTerminal } from "./terminal.ts";

/** The console blocks of a document, run one after the other in one place, print what it shows. */
it.each([
  { path: "README.md", atLeast: 5 },
  { path: "docs/guide.md", atLeast: 16 },
  { path: "docs/agents.md", atLeast: 2 },
])("the examples of $path print what it shows", async ({ path, atLeast }) => {
  const sandbox = new Sandbox();
  const blocks = [...readFileSync(path, "utf8").matchAll(/```console( screen)?\n(.*?)```/gs)];
  const examples = blocks.flatMap(([, screen, block = ""]) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((example) => ({ isScreen: screen !== undefined, example })),
  );
  expect(examples.length).toBeGreaterThanOrEqual(atLeast);
  for (const { isScreen, example } of examples) {
    if (isScreen && !hasTerminal) continue;
    const [command = "", ...shown] = example.split("\n");
    const line = isScreen ? `script -qec "$1" /dev/null </dev/null | tr -d '\\r'` : `exec 2>&1; ${command}`;
    const ended = await sandbox.bash(line, { args: [command], env: { COLUMNS: "80", SHELL: "/bin/sh" } });
    const stdout = ended.stdout.toString().replaceAll(sandbox.env["HOME"] as string, "~");
    expect(alike(`$ ${command}\n${stdout}`)).toBe(alike(`$ ${command}\n${shown.join("\n")}`));
  }
});

/** Without what differs from run to run: IDs, ages, dates. */
function alike(text: string): string {
  return text
    .replace(/tool-output:\/\/[0-9a-f]{12}[0-9A-Za-z]{14}/g, "tool-output://ID")
    .replace(/job-[0-9A-Za-z]{10}/g, "job-ID")
    .replace(/^[0-9a-f]{10,12}[0-9A-Za-z]* /gm, "ID ")
    .replace(/ +\d+[smh](?= ago| |,)/g, " AGE")
    .replace(/^ID +AGE +SIZE/gm, "ID AGE SIZE")
    .replace(/^\d{4}-\d\d-\d\d /gm, "DATE ");
}
