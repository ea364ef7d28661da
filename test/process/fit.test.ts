import { expect, it } from "vitest";
import { eventually, Sandbox, seq } from "./sandbox.ts";

const lines = seq(20_000).slice(0, 102_400);

function batchOf(count: number, content = lines): string {
  return JSON.stringify(Array.from({ length: count }, (_, i) => ({ toolCallID: `c${i}`, name: "bash", content })));
}

function storedNames(sandbox: Sandbox): string[] {
  return sandbox.list(sandbox.managed).filter((name) => name.endsWith(".json"));
}

it("fits 20 results of 100 KB into 60,000 characters, and every byte can be had", async () => {
  const sandbox = new Sandbox();
  const ended = await sandbox.run(["fit", "--budget-chars", "60000"], { input: batchOf(20) });
  const fitted: { content: string; resource: { uri: string } }[] = JSON.parse(ended.stdout.toString());
  expect([ended.status, ended.stderr, fitted.length]).toEqual([0, "", 20]);
  expect(fitted.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(60_000);
  expect(sandbox.payloads().map((bytes) => bytes.toString())).toEqual(fitted.map(() => lines));
  const again = await sandbox.run(["fit", "--budget-chars", "60000"], { input: ended.stdout });
  expect(again.stdout).toEqual(ended.stdout);
});

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("on %s removes what it stored, and nothing else", async (signal) => {
  const sandbox = new Sandbox();
  await sandbox.run(["pipe"], { input: seq(5000) });
  const before = sandbox.list(sandbox.managed);
  // Nobody reads its stdout, so that it waits there with all of its copies made.
  const { child, finished } = sandbox.start(["fit", "--budget-chars", "1000000"], { input: batchOf(30) });
  child.stdout?.pause();
  await eventually(() => storedNames(sandbox).length > 20);
  await eventually(() => (child.stdout?.readableLength ?? 0) > 0);
  child.kill(signal);
  child.stdout?.resume();
  expect((await finished).signal).toBe(signal);
  expect(sandbox.list(sandbox.managed)).toEqual(before);
});

it("removes what it stored when nobody takes the batch", async () => {
  const sandbox = new Sandbox();
  const line = "toolout fit --budget-chars 1000000 | true; echo ${PIPESTATUS[0]}";
  const ended = await sandbox.bash(line, { input: batchOf(30) });
  expect([ended.stdout.toString(), ended.stderr]).toEqual(["0\n", ""]);
  expect(storedNames(sandbox)).toEqual([]);
});

it.each([
  [
    JSON.stringify([{ toolCallID: "a", name: "b", encoding: "base64", content: "no base64!" }]),
    '[0].content must be base64, not "no base64!"',
  ],
  [
    `[{"toolCallID":"a","name":"b","content":"x","deep":${"[".repeat(20_000)}${"]".repeat(20_000)}}]`,
    "the batch is nested too deeply",
  ],
])("refuses what it could not give back", async (input, message) => {
  const ended = await new Sandbox().run(["fit", "--budget-chars", "5"], { input });
  expect([ended.status, ended.stdout.toString()]).toEqual([2, ""]);
  expect(ended.stderr).toMatch(/^toolout: .*\n$/);
  expect(ended.stderr).toContain(message);
});
