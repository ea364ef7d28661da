import { linkSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Sandbox, seq, uriPattern } from "./sandbox.ts";

async function store(sandbox: Sandbox, input: string | Buffer, ...options: string[]): Promise<string> {
  const ended = await sandbox.run(["pipe", ...options], { input });
  return uriPattern.exec(ended.stdout.toString("latin1"))?.[0] ?? "nothing was stored";
}

describe("read", () => {
  it("rebuilds megabytes of real names byte for byte along next", async () => {
    const sandbox = new Sandbox();
    const line =
      "find /usr /lib -xdev 2>/dev/null | head -c 5000000 > names; toolout run -- cat names > shown; cat shown";
    const uri = uriPattern.exec((await sandbox.bash(line)).stdout.toString("latin1"))?.[0] ?? "";
    const script = `
      offset=0
      while [ "$offset" != null ]; do
        toolout read ${uri} --json --limit 512KiB --offset $offset > page
        offset=$(node -p 'const p = JSON.parse(require("fs").readFileSync("page")); require("fs").appendFileSync("joined", Buffer.from(p.content, p.encoding ?? "utf8")); p.next')
      done
      cmp names joined && [ $(wc -c < shown) -le 51200 ] && [ $(wc -l < shown) -le 2000 ] &&
        [ "$(head -n 1 shown)" = "$(head -n 1 names)" ] && [ "$(tail -n 1 shown)" = "$(tail -n 1 names)" ]`;
    expect(await sandbox.bash(script)).toMatchObject({ status: 0, stderr: "" });
  });

  it("gives plain pages that join too, led on by the notes alone", async () => {
    const sandbox = new Sandbox();
    const text = JSON.stringify({ text: "\u4e2d\u6587".repeat(50_000), end: true });
    let command: string | undefined = `toolout read ${await store(sandbox, text)}`;
    const pages: Buffer[] = [];
    while (command !== undefined) {
      const page = await sandbox.bash(command);
      pages.push(page.stdout);
      expect(page.stdout.length).toBeGreaterThan(0);
      command = /next: (toolout read .*)$/m.exec(page.stderr)?.[1];
    }
    expect(pages.length).toBeGreaterThan(3);
    expect(Buffer.concat(pages).toString()).toBe(text);
  });

  it("is not cut or stored again behind run", async () => {
    const sandbox = new Sandbox();
    for (const text of [seq(9000), `${"w".repeat(100)}\n`.repeat(900), "\u4e2d".repeat(60_000)]) {
      const uri = await store(sandbox, text);
      const direct = await sandbox.run(["read", uri]);
      const nested = await sandbox.bash(`toolout run -- toolout read ${uri}`);
      const merged = await sandbox.bash(`toolout run --merge -- toolout read ${uri}`);
      expect(nested.stdout.equals(direct.stdout)).toBe(true);
      expect(merged.stdout.toString()).not.toContain("output truncated");
    }
    expect(sandbox.payloads().length).toBe(3);
  });

  it.each([
    { args: ["--line", "2", "--lines", "2"], want: "2\n3\n" },
    { args: ["--tail", "2"], want: "2999\n3000\n" },
    { args: ["--offset", "13888"], want: "3000\n" },
    { args: ["--offset", "99999"], want: "" },
  ])("takes $args", async ({ args, want }) => {
    const sandbox = new Sandbox();
    await store(sandbox, seq(3000));
    const page = await sandbox.run(["read", "last", ...args]);
    expect([page.stdout.toString(), page.status]).toEqual([want, 0]);
  });

  it("says of a copy kept in part where it ends, and grep that it is all it searched", async () => {
    const sandbox = new Sandbox();
    await store(sandbox, seq(100_000), "--store-bytes", "64KiB");
    const lack = "only the first 65,536 of 588,895 bytes of the output were kept";
    for (const args of [
      ["read", "last", "--tail", "2"],
      ["read", "last", "--line", "99999"],
      ["grep", "99999", "last"],
    ]) {
      expect((await sandbox.run(args)).stderr).toBe(`toolout: ${lack}\n`);
    }
    expect((await sandbox.run(["read", "last"])).stderr).toContain("next: toolout read");
    for (const args of [
      ["read", "last", "--offset", "65500"],
      ["grep", "99999", "last"],
    ]) {
      const document = JSON.parse((await sandbox.run([...args, "--json"])).stdout.toString());
      expect(document.complete).toBe(false);
    }
    await store(sandbox, seq(3000));
    const whole = await sandbox.run(["read", "last", "--tail", "1", "--json"]);
    expect(JSON.parse(whole.stdout.toString())).not.toHaveProperty("complete");
  });

  it("gives an output only to its session", async () => {
    const sandbox = new Sandbox();
    const uri = await store(sandbox, seq(3000), "--session", "one");
    for (const args of [
      ["read", uri],
      ["read", uri, "--session", "two"],
      ["show", uri],
      ["grep", "1", uri],
      ["rm", uri],
    ]) {
      const refused = await sandbox.run(args);
      expect([refused.status, refused.stdout.length]).toEqual([4, 0]);
      expect(refused.stderr).toMatch(/^toolout: [^\n]+\n$/);
    }
    expect((await sandbox.run(["list"])).stdout.toString()).not.toContain(uri);
    expect(
      (await sandbox.run(["read", uri, "--tail", "1"], { env: { TOOLOUT_SESSION: "one" } })).stdout.toString(),
    ).toBe("3000\n");
    expect((await sandbox.run(["read", uri, "--tail", "1", "--any-session"])).stdout.toString()).toBe("3000\n");
  });

  it("tells damaged, expired and unknown apart, one line each, and follows no link", async () => {
    const sandbox = new Sandbox();
    const [short, linked, old] = [
      await store(sandbox, seq(3000)),
      await store(sandbox, seq(3001)),
      await store(sandbox, seq(3002)),
    ];
    const file = (uri: string, end = "txt") => join(sandbox.managed, `${uri.slice(14)}.${end}`);
    truncateSync(file(short), 100);
    const victim = join(sandbox.work, "victim");
    writeFileSync(victim, "v".repeat(statSync(file(linked)).size));
    rmSync(file(linked));
    symlinkSync(victim, file(linked));
    linkSync(victim, join(sandbox.work, "other"));
    for (const end of ["txt", "json"]) utimesSync(file(old, end), 1e9, 1e9);
    await sandbox.run(["gc"]);
    const statuses = [];
    for (const uri of [short, linked, old, "tool-output://000000000000aaaaaaaaaaaaaa"]) {
      const ended = await sandbox.run(["read", uri]);
      statuses.push(ended.status);
      expect(ended.stdout.length).toBe(0);
      expect(ended.stderr).toMatch(/^toolout: [^\n]+\n$/);
    }
    expect(statuses).toEqual([5, 5, 3, 3]);
    expect((await sandbox.run(["read", old])).stderr).toContain("retention");
  });
});
