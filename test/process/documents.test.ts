import { truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Sandbox, type StartOptions, seq } from "./sandbox.ts";

async function json(sandbox: Sandbox, args: readonly string[], options: StartOptions = {}) {
  const ended = await sandbox.run(args, options);
  return { ...ended, document: JSON.parse(ended.stdout.toString()) };
}

describe("run --json", () => {
  it("is one document with everything", async () => {
    const sandbox = new Sandbox();
    const { document, status } = await json(sandbox, [
      "run",
      "--json",
      "--",
      "sh",
      "-c",
      "seq 3000; echo e >&2; exit 4",
    ]);
    expect(status).toBe(4);
    const { uri } = document.stdout.resource;
    expect(document).toEqual({
      version: 1,
      command: ["sh", "-c", "seq 3000; echo e >&2; exit 4"],
      exitCode: 4,
      signal: null,
      timedOut: false,
      durationMs: expect.any(Number),
      stdout: {
        content: `${seq(998)}\n... output truncated; full content available as ${uri} ...\n... 1,004 lines (5,019 bytes) omitted; next: toolout read ${uri} --offset 3884 ...\n\n${seq(3000, 2003)}`,
        truncated: true,
        bytes: 13_893,
        lines: 3000,
        omitted: { bytes: 5019, lines: 1004 },
        complete: true,
        resource: { uri, mime: "text/plain", name: "stdout", size: 13_893 },
      },
      stderr: { content: "e\n", truncated: false, bytes: 2, lines: 1, omitted: null, complete: true, resource: null },
    });
    expect(Object.keys(document)[0]).toBe("version");
  });

  it("has one output with --merge", async () => {
    const { document } = await json(new Sandbox(), [
      "run",
      "--merge",
      "--json",
      "-c",
      "echo a; echo b >&2; kill -9 $$",
    ]);
    expect(document).toMatchObject({ exitCode: null, signal: "SIGKILL", output: { content: "a\nb\n", lines: 2 } });
    expect("stdout" in document || "stderr" in document).toBe(false);
  });

  it("tells of a stored output that cannot be had", async () => {
    const sandbox = new Sandbox();
    const ids: string[] = [];
    for (const last of [3000, 3001, 3002]) {
      const { document } = await json(sandbox, ["pipe", "--json", "--session", "mine"], { input: seq(last) });
      ids.push(document.resource.uri.slice("tool-output://".length));
    }
    const [damaged = "", old = "", other = ""] = ids;
    truncateSync(join(sandbox.managed, `${damaged}.txt`), 100);
    for (const end of ["txt", "json"]) utimesSync(join(sandbox.managed, `${old}.${end}`), 1e9, 1e9);
    await sandbox.run(["gc"]);
    for (const [id, session, kind, status] of [
      [damaged, "mine", "damaged", 5],
      [old, "mine", "expired", 3],
      [other, "yours", "access-denied", 4],
    ] as const) {
      const ended = await json(sandbox, ["read", "--json", "--session", session, id]);
      expect(ended.document).toEqual({ version: 1, error: { kind, message: expect.any(String) } });
      expect([ended.status, ended.stderr]).toEqual([status, ""]);
    }
    const ended = await json(sandbox, ["list", "--json"], { env: { XDG_DATA_HOME: "/dev/null" } });
    expect(ended.document.error.kind).toBe("io");
    expect(ended.status).toBe(1);
  });

  it.each([
    { args: ["run", "--json", "--", "no-such-program-xyz"], kind: "command-not-found", status: 127 },
    { args: ["run", "--json", "--", "/"], kind: "not-runnable", status: 126 },
    { args: ["run", "--json", "--max-lines", "0", "--", "true"], kind: "usage", status: 125 },
    { args: ["run", "--json", "--bogus", "--", "true"], kind: "usage", status: 125 },
    { args: ["run", "--json", "--profile", "nobody", "--", "true"], kind: "usage", status: 125 },
    { args: ["run", "--json"], kind: "usage", status: 125 },
    { args: ["pipe", "--json", "--max-bytes", "12"], kind: "usage", status: 2 },
    { args: ["read", "--json", "tool-output://../x"], kind: "invalid-uri", status: 2 },
    { args: ["read", "--json", "tool-output://000000000000aaaaaaaaaaaaaa"], kind: "not-found", status: 3 },
    { args: ["show", "--json", "tool-output://000000000000aaaaaaaaaaaaaa"], kind: "not-found", status: 3 },
    { args: ["rm", "--json", "nonsense"], kind: "invalid-uri", status: 2 },
    { args: ["grep", "--json", "(", "/etc/hostname"], kind: "usage", status: 2 },
    { args: ["config", "get", "--json", "nothing"], kind: "usage", status: 2 },
  ])("failures are documents too: $args", async ({ args, kind, status }) => {
    const ended = await json(new Sandbox(), args);
    expect(ended.document).toEqual({ version: 1, error: { kind, message: expect.any(String) } });
    expect([ended.status, ended.stderr]).toEqual([status, ""]);
  });
});

describe("run --text", () => {
  it("is one block that tells both streams and the end", async () => {
    const ended = await new Sandbox().run(["run", "--text", "-c", "printf out; echo err >&2; exit 3"]);
    expect(ended.stdout.toString()).toBe("out\nstderr:\nerr\nCommand exited with code 3.\n");
    expect([ended.status, ended.stderr]).toEqual([3, ""]);
  });

  it.each([
    { limits: [], lines: 2000, bytes: 51_200 },
    { limits: ["--max-lines", "40"], lines: 40, bytes: 51_200 },
    { limits: ["--max-bytes", "3000"], lines: 2000, bytes: 3000 },
    { limits: ["--max-chars", "4000"], lines: 2000, bytes: 4000 },
  ])(
    "stays inside the limits with both streams, and every byte can be had: $limits",
    async ({ limits, lines, bytes }) => {
      const sandbox = new Sandbox();
      const ended = await sandbox.run(["run", "--text", ...limits, "-c", "seq 1500; seq 2000 3500 >&2"]);
      const text = ended.stdout.toString();
      expect(ended.stdout.length).toBeLessThanOrEqual(bytes);
      expect(text.split("\n").length - 1).toBeLessThanOrEqual(lines);
      expect(text.endsWith("\nCommand exited with code 0.\n")).toBe(true);
      const [out, err] = [text.slice(0, text.indexOf("stderr:\n")), text.slice(text.indexOf("stderr:\n"))];
      for (const [part, whole] of [
        [out, seq(1500)],
        [err, seq(3500, 2000)],
      ] as const) {
        if (part.includes(whole)) continue;
        const uri = /full content available as (\S+)/.exec(part)?.[1] ?? "none";
        const page = await sandbox.run(["read", uri, "--limit", "1MiB"]);
        expect(page.stdout.toString()).toBe(whole);
      }
    },
  );

  it.each([4, 5, 6, 8, 12])("stays inside %i lines, and still says where everything is", async (lines) => {
    const sandbox = new Sandbox();
    const ended = await sandbox.run(["run", "--text", "--max-lines", `${lines}`, "-c", "seq 30; seq 40 >&2; printf x"]);
    const text = ended.stdout.toString();
    expect(text.split("\n").length - 1).toBeLessThanOrEqual(lines);
    const uris = [...text.matchAll(/full content available as (\S+)/g)].map(([, uri]) => uri ?? "");
    const pages = await Promise.all(uris.map((uri) => sandbox.run(["read", uri])));
    expect(pages.map(({ stdout }) => stdout.toString())).toEqual([`${seq(30)}x`, seq(40)]);
  });

  it("tells a time limit", async () => {
    const ended = await new Sandbox().run(["run", "--text", "--timeout", "500ms", "--", "sleep", "60"]);
    expect(ended.stdout.toString()).toBe("toolout: the command timed out after 500ms\nCommand was ended by SIGTERM.\n");
    expect(ended.status).toBe(124);
  });
});
