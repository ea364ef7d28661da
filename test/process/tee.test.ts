/** `--tee`: all is shown, byte for byte, and all is stored. */
import { describe, expect, it } from "vitest";
import { Sandbox, seq, uriPattern } from "./sandbox.ts";

describe("--tee", () => {
  it("shows both streams of a command whole, and stores each of them", async () => {
    const sandbox = new Sandbox();
    const command = ["sh", "-c", "seq 30000; echo few >&2; printf '\\377\\0'; exit 7"];
    const { status, stdout, stderr } = await sandbox.run(["run", "--tee", "--max-lines", "5", ...command]);
    expect(status).toBe(7);
    const whole = Buffer.concat([Buffer.from(seq(30_000)), Buffer.from([0xff, 0])]);
    expect(stdout.equals(whole)).toBe(true);
    expect(stderr.replaceAll(new RegExp(uriPattern, "g"), "URI")).toBe(
      "few\ntoolout: stdout: full content available as URI\ntoolout: stderr: full content available as URI\n",
    );
    const payloads = sandbox.payloads();
    expect(payloads).toHaveLength(2);
    expect(payloads.some((payload) => payload.equals(whole))).toBe(true);
    expect(payloads.some((payload) => payload.equals(Buffer.from("few\n")))).toBe(true);
  });

  it("does so for a stream, and an empty one is not stored", async () => {
    const sandbox = new Sandbox();
    const { status, stdout, stderr } = await sandbox.run(["pipe", "--tee"], { input: "one\n" });
    expect([status, stdout.toString()]).toEqual([0, "one\n"]);
    expect(stderr).toMatch(/^toolout: full content available as tool-output:\S+\n$/);
    expect(await sandbox.run(["pipe", "--tee"], { input: "" })).toMatchObject({ status: 0, stderr: "" });
    expect(sandbox.payloads()).toHaveLength(1);
    const shown = await sandbox.run(["read", "last", "--omitted"]);
    expect([shown.status, shown.stdout.length]).toEqual([0, 0]);
  });

  it("says how much was kept of more than storeBytes", async () => {
    const args = ["pipe", "--tee", "--store-bytes", "64KiB"];
    const { stdout, stderr } = await new Sandbox().run(args, { input: seq(50_000) });
    expect(stdout.toString()).toBe(seq(50_000));
    expect(stderr).toMatch(/^toolout: 65,536 of 288,894 bytes kept as tool-output:\S+\n$/);
  });

  it("masks what --redact masks", async () => {
    const sandbox = new Sandbox();
    const { stdout } = await sandbox.run(["pipe", "--tee", "--redact"], { input: "password=hunter2-and-more\n" });
    expect(stdout.toString()).toBe("password=[redacted: password]\n");
    expect(sandbox.payloads()[0]?.toString()).toBe("password=[redacted: password]\n");
  });

  it("ends the command when its reader goes away, as without toolout", async () => {
    const { stdout, stderr } = await new Sandbox().bash("toolout run --tee -- yes | head -n 1; echo ${PIPESTATUS[0]}");
    expect(stdout.toString()).toBe("y\n141\n");
    expect(stderr).toMatch(/^(toolout: stdout: [^\n]+\n)?$/);
  });

  it.each([
    { args: ["run", "--tee", "--json", "true"], status: 125 },
    { args: ["run", "--tee", "--text", "true"], status: 125 },
    { args: ["pipe", "--tee", "--json"], status: 2 },
    { args: ["pipe", "--tee", "--overflow", "reject"], status: 2 },
    { args: ["run", "--tee", "--profile", "webfetch", "true"], status: 125 },
  ])("is refused with $args", async ({ args, status }) => {
    const ended = await new Sandbox().run(args);
    expect(ended.status).toBe(status);
    expect(`${ended.stderr}${ended.stdout}`).toContain("--tee");
  });
});
