import { describe, expect, it } from "vitest";
import { Sandbox } from "./sandbox.ts";

describe("the status of run", () => {
  it("is the command's own, whatever it is", async () => {
    const line = `seq 0 255 | xargs -P 4 -n 16 sh -c 'for s; do toolout run -- sh -c "echo text; exit $s"; echo $s $?; done' sh`;
    const ended = await new Sandbox().bash(line);
    const told = ended.stdout.toString().trim().split("\n");
    expect(told.filter((one) => one === "text").length).toBe(256);
    const statuses = told.filter((one) => one !== "text").map((one) => one.split(" ").map(Number));
    expect(statuses.sort(([a = 0], [b = 0]) => a - b)).toEqual(Array.from({ length: 256 }, (_, i) => [i, i]));
    expect(ended.stderr).toBe("");
  });

  it.each(["HUP", "INT", "TERM", "USR1", "USR2", "ALRM", "KILL"])("is death by the same signal: %s", async (name) => {
    const ended = await new Sandbox().run(["run", "--", "sh", "-c", `echo before; kill -${name} $$; sleep 30`]);
    expect(ended).toMatchObject({ status: null, signal: `SIG${name}` });
    expect(ended.stdout.toString()).toBe("before\n");
  });

  it.each([
    ["QUIT", 131],
    ["ILL", 132],
    ["TRAP", 133],
    ["ABRT", 134],
    ["BUS", 135],
    ["FPE", 136],
    ["SEGV", 139],
    ["PIPE", 141],
    ["XCPU", 152],
    ["XFSZ", 153],
    ["SYS", 159],
  ])("is 128 and the number for %s", async (name, status) => {
    const ended = await new Sandbox().bash(`ulimit -c 0; toolout run -- sh -c 'kill -${name} $$; sleep 30'`);
    expect(ended).toMatchObject({ status, signal: null });
  });

  it.each([
    { args: ["no-such-program-xyz"], status: 127, says: "command not found" },
    { args: ["./missing"], status: 127, says: "command not found" },
    { args: ["--", ""], status: 127, says: '"": command not found' },
    { args: ["/etc/hostname/x"], status: 126, says: "not a directory" },
    { args: ["/"], status: 126, says: "permission denied" },
    { args: [], status: 125, says: "no command" },
    { args: ["-C", "/no/such/directory", "true"], status: 125, says: "no such file or directory" },
    { args: ["--bogus", "true"], status: 125, says: "unknown option" },
    { args: ["echo hi"], status: 127, says: 'toolout run -c "echo hi"' },
  ])("is $status with one line for $args.0", async ({ args, status, says }) => {
    const ended = await new Sandbox().run(["run", ...args]);
    expect(ended.status).toBe(status);
    expect(ended.stdout.length).toBe(0);
    expect(ended.stderr).toMatch(/^toolout: [^\n]+\n$/);
    expect(ended.stderr).toContain(says);
  });

  it("passes two layers", async () => {
    const ended = await new Sandbox().bash("toolout run -- toolout run -- sh -c 'echo text; exit 37'");
    expect(ended).toMatchObject({ status: 37, stderr: "" });
    expect(ended.stdout.toString()).toBe("text\n");
  });

  it("and pipe's leave that of the producer to pipefail", async () => {
    for (const last of [9, 3000]) {
      const ended = await new Sandbox().bash(
        `set -o pipefail; (seq ${last}; exit 7) | toolout pipe > shown; echo $? "\${PIPESTATUS[@]}"; tail -n 1 shown`,
      );
      expect(ended.stdout.toString()).toBe(`7 7 0\n${last}\n`);
    }
  });

  it("gives options after the command to the command, and -c to a shell", async () => {
    const sandbox = new Sandbox();
    const plain = await sandbox.run(["run", "echo", "--json", "--", "-c"]);
    expect(plain.stdout.toString()).toBe("--json -- -c\n");
    const shell = await sandbox.run(["run", "-c", "echo $0 $1; exit 4", "zero", "one"]);
    expect(shell.stdout.toString()).toBe("zero one\n");
    expect(shell.status).toBe(4);
  });

  it("runs in the directory of -C", async () => {
    const ended = await new Sandbox().run(["run", "-C", "/", "pwd"]);
    expect(ended.stdout.toString()).toBe("/\n");
  });
});
