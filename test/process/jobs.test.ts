/** Background commands: they outlive whoever started them, and are polled, waited for and stopped from elsewhere. */
import { existsSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endJobsWithTest, jobRecord, jobsDirectory, pollJob, replaceRecord, startJob, untilPrinted } from "./jobs.ts";
import { eventually, isRunning, Sandbox, seq, uriPattern } from "./sandbox.ts";

const forever = "while :; do sleep 0.05; done";

describe("run --background", () => {
  it("comes back at once with an ID and the URI of the growing output, which is then stored however small it is", async () => {
    const sandbox = new Sandbox();
    const { id, uri } = await startJob(sandbox, [
      "-c",
      `echo first; until [ -e go ]; do sleep 0.05; done; echo last; exit 3`,
    ]);
    expect(id).toMatch(/^job-[0-9A-Za-z]{10}$/);
    expect(uri).toMatch(new RegExp(`^${uriPattern.source}$`));
    await untilPrinted(sandbox, id, "first\n");
    expect(await pollJob(sandbox, id)).toMatchObject({
      version: 1,
      job: { id, uri, state: "running", exitCode: null, signal: null, endedMs: null, bytes: null },
      ...{ content: "first\n", offset: 0, next: 6, truncated: false, omitted: null },
    });
    await sandbox.bash("touch go");
    expect(await sandbox.run(["wait", id])).toMatchObject({ status: 3, stderr: "" });
    const { job, content } = await pollJob(sandbox, id, ["--since", "6"]);
    expect(job).toMatchObject({ state: "exited", exitCode: 3, bytes: 11, lines: 2, complete: true });
    expect(content).toBe("last\n");
    expect((await sandbox.run(["read", uri])).stdout.toString()).toBe("first\nlast\n");
  });

  it("keeps stdout and stderr in the order they were written, and reads nothing", async () => {
    const sandbox = new Sandbox();
    const line = "for i in 1 2 3 4; do echo out $i; echo err $i >&2; done; cat; echo end";
    const { id, uri } = await startJob(sandbox, ["-c", line], { input: "not for it\n" });
    await sandbox.run(["wait", id]);
    const expected = [1, 2, 3, 4].map((i) => `out ${i}\nerr ${i}\n`).join("");
    expect((await sandbox.run(["read", uri])).stdout.toString()).toBe(`${expected}end\n`);
  });

  it("prints one document with --json", async () => {
    const sandbox = new Sandbox();
    endJobsWithTest(sandbox);
    const { stdout } = await sandbox.run(["run", "--background", "--json", "--name", "build", "--", "true"]);
    const { version, job } = JSON.parse(stdout.toString());
    expect(version).toBe(1);
    expect(job).toMatchObject({ name: "build", uri: expect.stringMatching(uriPattern) });
    await sandbox.run(["wait", job.id]);
  });

  it("holds nothing of its caller open", async () => {
    const sandbox = new Sandbox();
    endJobsWithTest(sandbox);
    // A command substitution waits until nobody holds its pipe any more.
    const { stdout } = await sandbox.bash(`ids=$(toolout run --background -c '${forever}' 2>&1); set -- $ids; echo $1`);
    const id = stdout.toString().trim();
    expect((await pollJob(sandbox, id)).job.state).toBe("running");
  });

  it.each([
    { command: ["nosuch"], status: 127, says: /^toolout: "nosuch": command not found\n$/ },
    { command: ["/etc/passwd"], status: 126, says: /^toolout: cannot run "\/etc\/passwd": permission denied\n$/ },
    {
      command: ["-C", "nowhere", "true"],
      status: 125,
      says: /^toolout: cannot change to directory "nowhere": [^\n]+\n$/,
    },
  ])("says itself that $command cannot be started, and leaves nothing", async ({ command, status, says }) => {
    const sandbox = new Sandbox();
    const ended = await sandbox.run(["run", "--background", ...command]);
    expect(ended).toMatchObject({ status, stderr: expect.stringMatching(says) });
    expect(ended.stdout.length).toBe(0);
    expect([...sandbox.list(jobsDirectory(sandbox)), ...sandbox.list(sandbox.managed)]).toEqual([]);
  });

  it("fails before the command starts where nothing can be stored", async () => {
    const sandbox = new Sandbox();
    const env = { TOOLOUT_DATA_DIR: "/proc/nowhere" };
    const ended = await sandbox.run(["run", "--background", "touch", "started"], { env });
    expect(ended).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(/^toolout: cannot make the directory [^\n]+\n$/),
    });
    expect(existsSync(join(sandbox.work, "started"))).toBe(false);
  });

  it.each([
    ["--background", "--tee", "true"],
    ["--background", "--text", "true"],
    ["--background", "--overflow", "reject", "true"],
    ["--input", "true"],
  ])("is refused with %s %s %s", async (...args) => {
    const ended = await new Sandbox().run(["run", ...args]);
    expect(ended).toMatchObject({ status: 125, stderr: expect.stringMatching(/^toolout: [^\n]+\n$/) });
  });

  it("hands words that are not UTF-8 on as they are", async () => {
    const sandbox = new Sandbox();
    endJobsWithTest(sandbox);
    const { stdout } = await sandbox.bash(`toolout run --background -- printf '%s' $'a\\377b' | head -n 1`);
    const id = stdout.toString().trim();
    await sandbox.run(["wait", id]);
    expect(sandbox.payloads()[0]).toEqual(Buffer.from([0x61, 0xff, 0x62]));
  });

  it("gives the command its caller's limit of open files", async () => {
    const sandbox = new Sandbox();
    endJobsWithTest(sandbox);
    const { stdout } = await sandbox.bash(
      `ulimit -Sn 321; ulimit -Sn; toolout run --background -c 'ulimit -Sn' | head -n 1`,
    );
    const [limit = "", id = ""] = stdout.toString().split("\n");
    await sandbox.run(["wait", id]);
    expect([limit, (await pollJob(sandbox, id)).content]).toEqual(["321", "321\n"]);
  });

  it("keeps its files to its user", async () => {
    const sandbox = new Sandbox();
    const { id } = await startJob(sandbox, ["-c", forever]);
    expect(statSync(jobsDirectory(sandbox)).mode & 0o777).toBe(0o700);
    expect(statSync(join(jobsDirectory(sandbox), `${id}.json`)).mode & 0o777).toBe(0o600);
  });
});

describe("a job", () => {
  it("outlives its caller, killed with its whole process group, and is polled from another process", async () => {
    const sandbox = new Sandbox();
    endJobsWithTest(sandbox);
    const line = `until [ -e go ]; do sleep 0.05; done; echo done`;
    const caller = sandbox.startShellGroup(`toolout run --background -c '${line}' >id; sleep 1000`);
    const id = await eventually(() => {
      const text = existsSync(join(sandbox.work, "id")) ? readFileSync(join(sandbox.work, "id"), "utf8") : "";
      return text.split("\n").length === 3 && text.split("\n")[0];
    });
    process.kill(-(caller.child.pid as number), "SIGKILL");
    expect((await caller.finished).signal).toBe("SIGKILL");
    expect((await pollJob(sandbox, id)).job.state).toBe("running");
    await sandbox.bash("touch go");
    expect((await sandbox.run(["wait", id])).status).toBe(0);
    expect((await pollJob(sandbox, id)).content).toBe("done\n");
  });

  it("keeps the limits it started with, and is shown within those of now", async () => {
    const sandbox = new Sandbox();
    const { id, uri } = await startJob(sandbox, ["--store-bytes", "64KiB", "--", "seq", "100000"]);
    await sandbox.run(["wait", id]);
    const { job, content, omitted } = await pollJob(sandbox, id, ["--since", "0", "--max-lines", "10"]);
    expect(job).toMatchObject({ bytes: seq(100_000).length, lines: 100_000, complete: false });
    // What was kept last is not the end of the output, and is not shown as one.
    expect(content).toBe(`1\n2\n3\n
... output truncated; 65,536 of 588,895 bytes kept as ${uri} ...
... 99,997 lines (588,889 bytes) omitted; next: toolout read ${uri} --offset 6 ...

`);
    expect(omitted).toEqual({ bytes: 588_889, lines: 99_997 });
    const beyond = await pollJob(sandbox, id, ["--since", "65536"]);
    expect(beyond).toMatchObject({ next: 65_536, truncated: true, omitted: { bytes: 523_359, lines: 87_227 } });
    const text = await sandbox.run(["poll", id, "--max-bytes", "1024"]);
    expect(text.stdout.length).toBeLessThanOrEqual(1024);
    expect(text.stdout.toString()).toMatch(
      /^job-\w+ exited with 0 after \d+s, 588,895 bytes, 100,000 lines; tool-output/,
    );
  });

  it("does not say of a running one that all is kept when it is not", async () => {
    const sandbox = new Sandbox();
    const { id, uri } = await startJob(sandbox, ["--store-bytes", "64KiB", "-c", `seq 100000; ${forever}`]);
    await eventually(() => jobRecord(sandbox, id).bytes === 588_895);
    const { job, content } = await pollJob(sandbox, id, ["--max-lines", "10"]);
    expect(job).toMatchObject({ state: "running", bytes: 588_895, complete: false });
    expect(content).toContain(`1\n2\n3\n4\n5\n6\n\n... output truncated; 65,536 of 588,895 bytes kept as ${uri} ...\n`);
    expect(content).not.toContain("1277");
    const read = await sandbox.run(["read", uri, "--tail", "1"]);
    expect(read.stderr).toContain("has printed 588,895 bytes, of which 65,536 are kept, so far");
  });

  it("is shown from any byte on, at a character's border, and then from where that ended", async () => {
    const sandbox = new Sandbox();
    const { id } = await startJob(sandbox, ["-c", "printf 'äöü\\n'; until [ -e go ]; do sleep 0.05; done; echo more"]);
    await untilPrinted(sandbox, id, "ü\n");
    expect(await pollJob(sandbox, id, ["--since", "1"])).toMatchObject({ content: "öü\n", offset: 2, next: 7 });
    expect(await pollJob(sandbox, id, ["--since", "99"])).toMatchObject({ content: "", offset: 7, next: 7 });
    await sandbox.bash("touch go");
    await sandbox.run(["wait", id]);
    expect(await pollJob(sandbox, id, ["--since", "7"])).toMatchObject({ content: "more\n", offset: 7, next: 12 });
  });

  it("names in a marker where the copy goes on", async () => {
    const sandbox = new Sandbox();
    const { id, uri } = await startJob(sandbox, ["--", "seq", "10000"]);
    await sandbox.run(["wait", id]);
    const { content } = await pollJob(sandbox, id, ["--since", "2", "--max-lines", "10"]);
    const [, offset] = /next: toolout read \S+ --offset (\d+)/.exec(content) ?? [];
    const head = content.slice(0, content.indexOf("\n\n... ") + 1);
    expect(head).toBe("2\n3\n4\n");
    const page = await sandbox.run(["read", uri, "--offset", offset ?? "", "--lines", "1"]);
    expect(page.stdout.toString()).toBe("5\n");
  });

  it("ends by its time limit, and wait says so", async () => {
    const sandbox = new Sandbox();
    const { id } = await startJob(sandbox, ["--timeout", "200ms", "-c", forever]);
    expect((await sandbox.run(["wait", id])).status).toBe(124);
    expect((await pollJob(sandbox, id)).job).toMatchObject({ state: "timed-out", signal: "SIGTERM" });
  });

  it("masks secrets when it was started so", async () => {
    const sandbox = new Sandbox();
    const { id } = await startJob(sandbox, ["--redact", "--", "echo", "password=hunter2-and-more"]);
    await sandbox.run(["wait", id]);
    expect((await pollJob(sandbox, id)).content).toBe("password=[redacted: password]\n");
  });

  it("is given only to its session", async () => {
    const sandbox = new Sandbox();
    const { id } = await startJob(sandbox, ["--session", "alice", "-c", forever]);
    for (const command of ["poll", "wait", "stop"]) {
      const refused = await sandbox.run([command, id, "--session", "bob"]);
      expect(refused).toMatchObject({ status: 4, stderr: expect.stringContaining(`${id} belongs to another session`) });
    }
    expect(readFileSync(join(jobsDirectory(sandbox), `${id}.json`), "utf8")).not.toContain("alice");
    expect((await pollJob(sandbox, id, ["--session", "alice"])).job.state).toBe("running");
    const line = (await sandbox.run(["poll", id, "--session", "alice"])).stdout.toString();
    expect(line).toMatch(/; next: toolout poll job-\w+ --session alice --since 0\n$/);
    expect((await sandbox.run(["stop", id, "--any-session"])).status).toBe(0);
  });

  it("that nobody knows, or that is none, is refused", async () => {
    const sandbox = new Sandbox();
    const unknown = await sandbox.run(["poll", "job-0123456789"]);
    expect(unknown).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/^toolout: no job job-0123456789; [^\n]+\n$/),
    });
    for (const id of ["job-1", "../../etc/passwd", "last"]) {
      const ended = await sandbox.run(["poll", id, "--json"]);
      expect([ended.status, JSON.parse(ended.stdout.toString()).error.kind]).toEqual([2, "usage"]);
    }
    const { id } = await startJob(sandbox, ["--", "true"]);
    const ended = await sandbox.run(["poll", id, "--since", "x"]);
    expect(ended).toMatchObject({ status: 2, stderr: expect.stringMatching(/^toolout: --since must be [^\n]+"x"\n$/) });
  });
});

describe("the URI of a growing output", () => {
  it("is read and searched like any other, and says where to go on", async () => {
    const sandbox = new Sandbox();
    const { id, uri } = await startJob(sandbox, [
      "-c",
      "echo one; echo two; until [ -e go ]; do sleep 0.05; done; echo three",
    ]);
    await untilPrinted(sandbox, id, "two\n");
    const read = await sandbox.run(["read", uri, "--offset", "4"]);
    expect(read.stdout.toString()).toBe("two\n");
    expect(read.stderr).toBe(
      `toolout: ${id} goes on, and has printed 8 bytes so far; next: toolout read ${uri} --offset 8\n`,
    );
    const json = JSON.parse((await sandbox.run(["read", uri, "--json"])).stdout.toString());
    expect(json).toMatchObject({ content: "one\ntwo\n", offset: 0, truncated: true, next: 8, complete: false });
    const found = await sandbox.run(["grep", "-F", "two", uri]);
    expect([found.status, found.stdout.toString()]).toEqual([0, "2:4:two\n"]);
    expect((await sandbox.run(["read", uri, "--session", "other"])).status).toBe(4);
    await sandbox.bash("touch go");
    await sandbox.run(["wait", id]);
    expect(await sandbox.run(["read", uri, "--offset", "8"])).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("wait", () => {
  it.each(["SIGTERM", "SIGKILL", "SIGUSR1"] as const)("dies of %s when the command did", async (signal) => {
    const sandbox = new Sandbox();
    const { id } = await startJob(sandbox, ["-c", `kill -${signal.slice(3)} $$`]);
    expect(await sandbox.run(["wait", id])).toMatchObject({ status: null, signal });
    expect((await pollJob(sandbox, id)).job).toMatchObject({ state: "signaled", signal, exitCode: null });
  });

  it("waits no longer than it is told, and prints the job with --json", async () => {
    const sandbox = new Sandbox();
    const { id } = await startJob(sandbox, ["-c", forever]);
    const ended = await sandbox.run(["wait", id, "--timeout", "50ms", "--json"]);
    expect(ended).toMatchObject({ status: 124, stderr: `toolout: ${id} still goes on after 50ms\n` });
    expect(JSON.parse(ended.stdout.toString())).toMatchObject({ version: 1, job: { id, state: "running" } });
  });
});

describe("stop", () => {
  it("ends the command with all that it started, those that ignore SIGTERM too", async () => {
    const sandbox = new Sandbox();
    const line = `trap '' TERM; sh -c 'trap "" TERM; echo $$ >grandchild; ${forever}' & echo $! ; ${forever}`;
    const { id } = await startJob(sandbox, ["-c", line]);
    const file = join(sandbox.work, "grandchild");
    const pid = await eventually(() => existsSync(file) && Number(readFileSync(file, "utf8")));
    const ended = await sandbox.run(["stop", id, "--kill-after", "100ms", "--json"]);
    expect(ended.status).toBe(0);
    expect(JSON.parse(ended.stdout.toString()).job).toMatchObject({ id, state: "stopped", signal: "SIGKILL" });
    expect(isRunning(pid)).toBe(false);
    const { supervisor, command } = jobRecord(sandbox, id);
    await eventually(() => !isRunning(supervisor.pid));
    expect(isRunning(command?.pid as number)).toBe(false);
  });

  it("stores what came until then, and does nothing to what has ended", async () => {
    const sandbox = new Sandbox();
    const { id, uri } = await startJob(sandbox, ["-c", `echo before; ${forever}`]);
    await untilPrinted(sandbox, id, "before\n");
    expect((await sandbox.run(["stop", id])).stdout.toString()).toMatch(
      /^job-\w+ stopped \(SIGTERM\) after \d+s, 7 bytes, 1 line\n$/,
    );
    expect((await sandbox.run(["read", uri])).stdout.toString()).toBe("before\n");
    expect((await sandbox.run(["stop", id])).status).toBe(0);
    expect(await sandbox.run(["wait", id])).toMatchObject({ signal: "SIGTERM" });
  });

  it("sent to the supervisor as SIGTERM does the same", async () => {
    const sandbox = new Sandbox();
    const { id } = await startJob(sandbox, ["-c", forever]);
    process.kill(jobRecord(sandbox, id).supervisor.pid, "SIGTERM");
    await sandbox.run(["wait", id]);
    expect((await pollJob(sandbox, id)).job).toMatchObject({ state: "stopped", complete: true });
  });
});

describe("write", () => {
  const echo = "while read -r x; do echo got $x; done; echo end";

  it("hands on what comes, again and again; the command sees the end only with --eof", async () => {
    const sandbox = new Sandbox();
    const { id } = await startJob(sandbox, ["--input", "-c", echo]);
    expect((await sandbox.run(["write", id], { input: "one\n" })).status).toBe(0);
    await untilPrinted(sandbox, id, "got one\n");
    expect((await pollJob(sandbox, id)).job.state).toBe("running");
    expect((await sandbox.run(["write", id, "--eof"], { input: "two\n" })).status).toBe(0);
    expect((await sandbox.run(["wait", id])).status).toBe(0);
    expect((await pollJob(sandbox, id)).content).toBe("got one\ngot two\nend\n");
  });

  it("takes more than a pipe holds, byte for byte", async () => {
    const sandbox = new Sandbox();
    const { id, uri } = await startJob(sandbox, ["--input", "--", "cat"]);
    const input = Buffer.from(seq(200_000));
    expect((await sandbox.run(["write", id, "--eof"], { input })).status).toBe(0);
    await sandbox.run(["wait", id]);
    const read = await sandbox.run(["read", uri, "--limit", "8MiB"]);
    expect(read.stdout.equals(input)).toBe(true);
  });

  it("is refused where nothing reads", async () => {
    const sandbox = new Sandbox();
    const without = await startJob(sandbox, ["-c", forever]);
    expect(await sandbox.run(["write", without.id])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^toolout: job-\w+ reads nothing; hint: [^\n]+\n$/),
    });
    const closed = await startJob(sandbox, ["--input", "-c", `exec <&-; echo closed; ${forever}`]);
    await untilPrinted(sandbox, closed.id, "closed\n");
    expect(await sandbox.run(["write", closed.id], { input: "x" })).toMatchObject({
      status: 1,
      stderr: `toolout: ${closed.id} has stopped reading its stdin\n`,
    });
    await sandbox.run(["stop", closed.id]);
    expect((await sandbox.run(["write", closed.id])).stderr).toBe(`toolout: ${closed.id} has ended\n`);
    expect(sandbox.list(jobsDirectory(sandbox)).filter((name) => !name.endsWith(".json"))).toEqual([]);
  });
});

describe("jobs and rm", () => {
  it("list the session's jobs, newest first, and remove those that have ended with their outputs", async () => {
    const sandbox = new Sandbox();
    const first = await startJob(sandbox, ["--name", "first", "--", "echo", "x"]);
    await sandbox.run(["wait", first.id]);
    const second = await startJob(sandbox, ["-c", forever]);
    const other = await startJob(sandbox, ["--session", "other", "--", "true"]);
    const listed = (await sandbox.run(["jobs"])).stdout.toString().split("\n");
    expect(listed).toHaveLength(3);
    expect(listed[0]).toMatch(new RegExp(`^${second.id}  running +\\d+s  ${second.uri}  sh$`));
    expect(listed[1]).toMatch(new RegExp(`^${first.id}  exited with 0  \\d+s  ${first.uri}  first$`));
    const all = JSON.parse((await sandbox.run(["jobs", "--json", "--any-session"])).stdout.toString());
    expect(all.version).toBe(1);
    expect(all.jobs.map(({ id }: { id: string }) => id)).toEqual([other.id, second.id, first.id]);

    const refused = await sandbox.run(["rm", second.id]);
    expect(refused).toMatchObject({
      status: 2,
      stderr: `toolout: ${second.id} still goes on; hint: toolout stop ${second.id}\n`,
    });
    expect((await sandbox.run(["rm", other.id])).status).toBe(4);
    expect((await sandbox.run(["rm", first.id])).stdout.toString()).toBe(`removed ${first.id}\nremoved ${first.uri}\n`);
    expect((await sandbox.run(["poll", first.id])).status).toBe(3);
    expect((await sandbox.run(["read", first.uri])).status).toBe(3);
  });

  it("say that there is none", async () => {
    expect(await new Sandbox().run(["jobs"])).toMatchObject({ status: 0, stderr: "toolout: no job of this session\n" });
  });

  it("are completed", async () => {
    const sandbox = new Sandbox();
    const { id } = await startJob(sandbox, ["--name", "build", "-c", forever]);
    const { stdout } = await sandbox.run(["completion", "bash", "--", "poll", "job-"]);
    expect(stdout.toString()).toBe(`none\n${id}\tbuild, running\n`);
  });
});

describe("gc", () => {
  const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000);

  it("leaves a job that goes on, however long it has been silent, and its output", async () => {
    const sandbox = new Sandbox();
    const { id, uri } = await startJob(sandbox, ["--input", "-c", "echo before; cat"]);
    await untilPrinted(sandbox, id, "before\n");
    for (const directory of [sandbox.managed, jobsDirectory(sandbox)]) {
      for (const name of sandbox.list(directory)) utimesSync(join(directory, name), days(30), days(30));
    }
    expect((await sandbox.run(["gc"], { env: { TOOLOUT_RETENTION: "1h", TOOLOUT_QUOTA_BYTES: "1MiB" } })).status).toBe(
      0,
    );
    expect((await sandbox.run(["write", id, "--eof"], { input: "after\n" })).status).toBe(0);
    expect((await sandbox.run(["wait", id])).status).toBe(0);
    expect((await sandbox.run(["read", uri])).stdout.toString()).toBe("before\nafter\n");
  });

  it("forgets a job as late as its output, and stores what a lost one has printed", async () => {
    const sandbox = new Sandbox();
    const [old, lost] = [
      await startJob(sandbox, ["--", "true"]),
      await startJob(sandbox, ["-c", `echo x; ${forever}`]),
    ];
    await sandbox.run(["wait", old.id]);
    utimesSync(join(jobsDirectory(sandbox), `${old.id}.json`), days(8), days(8));
    await untilPrinted(sandbox, lost.id, "x\n");
    const { supervisor } = jobRecord(sandbox, lost.id);
    process.kill(supervisor.pid, "SIGKILL");
    await eventually(() => !isRunning(supervisor.pid));
    expect((await sandbox.run(["gc"])).status).toBe(0);
    expect((await sandbox.run(["poll", old.id])).status).toBe(3);
    expect((await sandbox.run(["show", lost.uri, "--json"])).stdout.toString()).toContain('"complete":false');
    expect(jobRecord(sandbox, lost.id).state).toBe("lost");
  });
});

describe("a lost job", () => {
  it("is told as lost; what came until then is stored as a part, and its command can still be stopped", async () => {
    const sandbox = new Sandbox();
    const { id, uri } = await startJob(sandbox, ["--session", "s", "-c", `echo before; ${forever}`]);
    await untilPrinted(sandbox, id, "before\n");
    const { supervisor, command } = jobRecord(sandbox, id);
    process.kill(supervisor.pid, "SIGKILL");
    await eventually(() => !isRunning(supervisor.pid));
    const { job, content } = await pollJob(sandbox, id, ["--session", "s"]);
    expect(job).toMatchObject({ state: "lost", exitCode: null, complete: false, bytes: 7, lines: 1 });
    expect(content).toBe("before\n");
    expect((await sandbox.run(["read", uri, "--session", "s"])).stdout.toString()).toBe("before\n");
    expect((await sandbox.run(["read", uri])).status).toBe(4);
    expect(sandbox.list(sandbox.managed)).toHaveLength(2);
    expect(await sandbox.run(["wait", id, "--session", "s"])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`${id} was lost`),
    });
    await sandbox.run(["stop", id, "--session", "s"]);
    expect(isRunning(command?.pid as number)).toBe(false);
  });

  it("leaves alone a process that has the number of its supervisor or of its command", async () => {
    const sandbox = new Sandbox();
    const { id } = await startJob(sandbox, ["-c", forever]);
    const record = jobRecord(sandbox, id);
    const other = sandbox.startShellGroup(forever);
    const reused = { pid: other.child.pid as number, startTime: "1" };
    const { supervisor, command } = record;
    replaceRecord(sandbox, { ...record, supervisor: reused, command: reused });
    for (const pid of [supervisor.pid, command?.pid as number]) process.kill(pid, "SIGKILL");
    expect((await pollJob(sandbox, id)).job.state).toBe("lost");
    expect((await sandbox.run(["stop", id])).status).toBe(0);
    expect(isRunning(reused.pid)).toBe(true);
  });
});
