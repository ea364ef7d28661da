import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Sandbox } from "./sandbox.ts";

/** The README's console blocks, run one after the other in one place, print what README shows, ids apart. */
it("the examples of README print what it shows", async () => {
  const sandbox = new Sandbox();
  const blocks = [...readFileSync("README.md", "utf8").matchAll(/```console\n(.*?)```/gs)].map(
    ([, block]) => block ?? "",
  );
  const examples = blocks.flatMap((block) => block.split(/^\$ /m).slice(1));
  expect(examples.length).toBeGreaterThanOrEqual(5);
  for (const example of examples) {
    const [command = "", ...shown] = example.split("\n");
    const ended = await sandbox.bash(`exec 2>&1; ${command}`);
    expect(withoutIds(`$ ${command}\n${ended.stdout}`)).toBe(withoutIds(`$ ${command}\n${shown.join("\n")}`));
  }
});

function withoutIds(text: string): string {
  return text.replace(/tool-output:\/\/[0-9a-f]{12}[0-9A-Za-z]{14}/g, "tool-output://ID");
}
