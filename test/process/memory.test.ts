import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { program, Sandbox, type Started } from "./sandbox.ts";

const smallBytes = 30_000_000;
const largeBytes = 300_000_000;

/** The highest resident set that the kernel saw of the process (VmHWM, proc(5)), in MB. */
async function peakMB({ child, finished }: Started): Promise<number> {
  let peak = 0;
  const look = () => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "latin1");
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // it has ended
    }
  };
  const timer = setInterval(look, 5);
  const ended = await finished;
  clearInterval(timer);
  expect(ended.status).toBe(0);
  expect(ended.stdout.toString().endsWith("\nlast\n")).toBe(true);
  expect(ended.stdout.length).toBeLessThanOrEqual(51_200);
  return peak;
}

describe.skipIf(process.platform !== "linux")("memory (Linux only: /proc)", () => {
  it.each([
    { what: "run, lines", args: ["run"], make: (bytes: number) => `yes a line of text | head -c ${bytes}` },
    {
      what: "run, one endless line",
      args: ["run"],
      make: (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\0' x`,
    },
    { what: "run, drop", args: ["run", "--overflow", "drop"], make: (bytes: number) => `yes y | head -c ${bytes}` },
  ])("stays flat: $what", async ({ args, make }) => {
    const sandbox = new Sandbox();
    const peak = (bytes: number) => peakMB(sandbox.start([...args, "-c", `${make(bytes)}; echo; echo last`]));
    const [small, large] = [await peak(smallBytes), await peak(largeBytes)];
    expect(small).toBeGreaterThan(20);
    expect(large).toBeLessThan(120);
    expect(large - small).toBeLessThan(20);
  });

  it("stays flat: pipe", async () => {
    const sandbox = new Sandbox();
    const hook = join(sandbox.work, "peak.cjs");
    writeFileSync(
      hook,
      'const fs = require("fs"); process.on("exit", () => fs.writeFileSync("status", fs.readFileSync("/proc/self/status")));',
    );
    const peak = async (bytes: number) => {
      const producer = `yes a line of text | head -c ${bytes}; echo; echo last`;
      const ended = await sandbox.bash(
        `{ ${producer}; } | "${process.execPath}" --require "${hook}" "${program}" pipe`,
      );
      expect(ended.stdout.toString().endsWith("\nlast\n")).toBe(true);
      return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(join(sandbox.work, "status"), "latin1"))?.[1]) / 1024;
    };
    const [small, large] = [await peak(smallBytes), await peak(largeBytes)];
    expect(small).toBeGreaterThan(20);
    expect(large).toBeLessThan(120);
    expect(large - small).toBeLessThan(20);
  });
});
