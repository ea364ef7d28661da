/** `run --yield`: as `run --merge` when the command ends in time, and a job when it does not. */
import { describe, expect, it } from "vitest";
import { endJobsWithTest, jobRecord, jobsDirectory, pollJob, untilPrinted } from "./jobs.ts";
import { eventually, isRunning, Sandbox, seq, uriPattern } from "./sandbox.ts";

const forever = "while :; do sleep 0.05; done";

describe("a command that ends in time", () => {
  it("is as with run --merge, and leaves nothing behind", async () => {
    const sandbox = new Sandbox();
    const ended = await sandbox.run(["run", "--yield", "60s", "-c", "cat; echo err >&2; exit 3"], { input: "in\n" });
    expect(ended).toMatchObject({ status: 3, stderr: "" });
    expect(ended.stdout.toString()).toBe("in\nerr\n");
    expect([...sandbox.list(sandbox.managed), ...sandbox.list(jobsDirectory(sandbox))]).toEqual([]);
  });

  it("has the preview of run, and one stored output", async () => {
    const sandbox = new Sandbox();
    const args = ["--max-lines", "10", "--", "seq", "10000"];
    const [plain, yielding] = [
      await sandbox.run(["run", ...args]),
      await sandbox.run(["run", "--yield", "60s", ...args]),
    ];
    const known = new RegExp(uriPattern, "g");
    expect(yielding.stdout.toString().replace(known, "URI")).toBe(plain.stdout.toString().replace(known, "URI"));
    expect(yielding).toMatchObject({ status: 0, stderr: "" });
    expect(sandbox.payloads().map(String)).toEqual([seq(10_000), seq(10_000)]);
    const [uri = ""] = uriPattern.exec(yielding.stdout.toString()) ?? [];
    expect((await sandbox.run(["read", uri, "--omitted"])).stdout.toString().slice(0, 4)).toBe("4\n5\n");
    expect(sandbox.list(jobsDirectory(sandbox))).toEqual([]);
  });

  it("shows of an output that was kept in part how much there was, and no middle as its end", async () => {
    const sandbox = new Sandbox();
    const args = ["--yield", "60s", "--store-bytes", "64KiB", "--max-bytes", "64MiB", "--max-lines", "1000000"];
    const ended = await sandbox.run(["run", ...args, "--", "seq", "100000"]);
    expect(ended.stdout.toString()).toMatch(/\n... output truncated; 65,536 of 588,895 bytes kept as \S+ ...\n.*\n\n$/);
    const json = await sandbox.run(["run", ...args, "--json", "--", "seq", "100000"]);
    expect(JSON.parse(json.stdout.toString()).output).toMatchObject({
      ...{ truncated: true, bytes: 588_895, lines: 100_000, complete: false, resource: { size: 65_536 } },
      omitted: { lines: 87_227 },
    });
    const dropped = await sandbox.run([
      "run",
      "--yield",
      "60s",
      "--overflow",
      "drop",
      "--capture-bytes",
      "64KiB",
      "seq",
      "100000",
    ]);
    expect(dropped.stdout.toString()).toContain(
      "... output truncated; 65,536 of 588,895 bytes kept, see toolout list ...",
    );
  });

  it("keeps a job whose supervisor was killed, for what still runs", async () => {
    const sandbox = new Sandbox();
    endJobsWithTest(sandbox);
    const { finished } = sandbox.start(["run", "--yield", "60s", "--json", "-c", `echo before; ${forever}`]);
    const names = () => sandbox.list(jobsDirectory(sandbox)).filter((name) => /^job-\w+\.json$/.test(name));
    await eventually(() => names().length > 0);
    const id = (names()[0] as string).replace(".json", "");
    await untilPrinted(sandbox, id, "before\n");
    const { supervisor, command } = jobRecord(sandbox, id);
    process.kill(supervisor.pid, "SIGKILL");
    const { status, stdout, stderr } = await finished;
    expect([status, stderr]).toEqual([1, expect.stringContaining(`toolout stop ${id}`)]);
    expect(JSON.parse(stdout.toString()).output).toMatchObject({ content: "before\n", complete: false });
    await sandbox.run(["stop", id]);
    expect(isRunning(command?.pid as number)).toBe(false);
  });

  it("is told with --json and --text as run tells it", async () => {
    const sandbox = new Sandbox();
    const json = await sandbox.run(["run", "--yield", "60s", "--json", "-c", "echo out; echo err >&2; exit 3"]);
    expect(json.status).toBe(3);
    expect(JSON.parse(json.stdout.toString())).toMatchObject({
      ...{ version: 1, exitCode: 3, signal: null, timedOut: false },
      output: { content: "out\nerr\n", truncated: false, bytes: 8, lines: 2, complete: true, resource: null },
    });
    const text = await sandbox.run([
      "run",
      "--yield",
      "60s",
      "--text",
      "--redact",
      "echo",
      "password=hunter2-and-more",
    ]);
    expect(text.stdout.toString()).toBe(
      "password=[redacted: password]\ntoolout: 1 secret masked\nCommand exited with code 0.\n",
    );
  });

  it.each(["SIGTERM", "SIGKILL"] as const)("by %s ends toolout the same way", async (signal) => {
    const ended = await new Sandbox().run(["run", "--yield", "60s", "-c", `echo x; kill -${signal.slice(3)} $$`]);
    expect(ended).toMatchObject({ status: null, signal });
    expect(ended.stdout.toString()).toBe("x\n");
  });

  it("by its time limit has status 124", async () => {
    const ended = await new Sandbox().run(["run", "--yield", "60s", "--timeout", "100ms", "-c", forever]);
    expect(ended).toMatchObject({ status: 124, stderr: "toolout: the command timed out after 100ms\n" });
  });

  it("that cannot be started is told as run tells it", async () => {
    const ended = await new Sandbox().run(["run", "--yield", "60s", "nosuch"]);
    expect(ended).toMatchObject({ status: 127, stderr: 'toolout: "nosuch": command not found\n' });
  });
});

describe("a command that goes on", () => {
  it.each([[], ["--text"]])("is left as a job, with %j", async (...options) => {
    const sandbox = new Sandbox();
    endJobsWithTest(sandbox);
    const line = "echo first; until [ -e go ]; do sleep 0.05; done; exit 4";
    const { status, stdout, stderr } = await sandbox.run(["run", "--yield", "100ms", ...options, "-c", line]);
    expect([status, stderr]).toEqual([0, ""]);
    const [id = "", uri = "", ...rest] = stdout.toString().split("\n");
    expect([uri, rest]).toEqual([expect.stringMatching(uriPattern), [""]]);
    await untilPrinted(sandbox, id, "first\n");
    expect(await pollJob(sandbox, id)).toMatchObject({ job: { id, uri, state: "running" }, content: "first\n" });
    await sandbox.bash("touch go");
    expect((await sandbox.run(["wait", id])).status).toBe(4);
  });

  it("is left as a job in one document with --json", async () => {
    const sandbox = new Sandbox();
    endJobsWithTest(sandbox);
    const { stdout } = await sandbox.run(["run", "--yield", "50ms", "--json", "-c", forever]);
    expect(JSON.parse(stdout.toString())).toMatchObject({ version: 1, job: { state: "running" } });
  });

  it("outlives toolout, killed while it waits", async () => {
    const sandbox = new Sandbox();
    endJobsWithTest(sandbox);
    const { child, finished } = sandbox.startGroup(["run", "--yield", "60s", "-c", forever]);
    await eventually(() => sandbox.list(jobsDirectory(sandbox)).some((name) => name.endsWith(".json")));
    process.kill(-(child.pid as number), "SIGKILL");
    await finished;
    const { jobs } = JSON.parse((await sandbox.run(["jobs", "--json"])).stdout.toString());
    expect(jobs).toMatchObject([{ state: "running" }]);
  });

  it("gets the signals that toolout gets while it waits", async () => {
    const sandbox = new Sandbox();
    endJobsWithTest(sandbox);
    const line = `trap 'echo usr1' USR1; trap 'echo term; exit 5' TERM; echo ready; ${forever}`;
    const { child, finished } = sandbox.start(["run", "--yield", "60s", "-c", line]);
    const id = await onlyJob(sandbox);
    await untilPrinted(sandbox, id, "ready\n");
    child.kill("SIGUSR1");
    await untilPrinted(sandbox, id, "usr1\n");
    child.kill("SIGTERM");
    const { status, stdout } = await finished;
    expect([status, stdout.toString()]).toEqual([5, "ready\nusr1\nterm\n"]);
  });

  it("is ended with all that it started by a second INT", async () => {
    const sandbox = new Sandbox();
    endJobsWithTest(sandbox);
    const line = `trap '' INT; trap 'echo again' USR1; echo ready; ${forever}`;
    const { child, finished } = sandbox.start(["run", "--yield", "60s", "-c", line]);
    const id = await onlyJob(sandbox);
    await untilPrinted(sandbox, id, "ready\n");
    const { command } = jobRecord(sandbox, id);
    child.kill("SIGINT");
    child.kill("SIGUSR1"); // handed on after the first INT
    await untilPrinted(sandbox, id, "again\n");
    expect(isRunning(command?.pid as number)).toBe(true);
    // Within 50 ms the same request would be the same one.
    await eventually(() => {
      child.kill("SIGINT");
      return !isRunning(command?.pid as number);
    });
    expect((await finished).signal).toBe("SIGINT");
  });

  async function onlyJob(sandbox: Sandbox): Promise<string> {
    const record = await eventually(() => sandbox.list(jobsDirectory(sandbox)).find((name) => name.endsWith(".json")));
    return record.slice(0, -".json".length);
  }
});

it.each([
  ["--yield", "10s", "--background"],
  ["--yield", "10s", "--tee"],
  ["--yield", "10s", "--overflow", "reject"],
  ["--yield", "soon"],
])("%s %s %s is refused", async (...args) => {
  const ended = await new Sandbox().run(["run", ...args, "true"]);
  expect(ended).toMatchObject({ status: 125, stderr: expect.stringMatching(/^toolout: [^\n]+\n$/) });
});
