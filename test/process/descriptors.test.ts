import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Descriptor, nodesOwn } from "../../src/process/descriptors.ts";
import { Sandbox } from "./sandbox.ts";

interface Opened {
  readonly target: string;
  readonly flags: number;
}

const epoll = { target: "anon_inode:[eventpoll]", flags: 2 };
const event = { target: "anon_inode:[eventfd]", flags: 0o4002 };
const ring = { target: "anon_inode:[io_uring]", flags: 2 };
const file = { target: "/home/me/file", flags: 0o100001 };
const ends = (inode: number, blocks: boolean) =>
  [0, 1].map((access) => ({ target: `pipe:[${inode}]`, flags: (blocks ? 0 : 0o4000) | access }));

/** What Node opens one after the other, at the lowest numbers that are free. */
const node20 = [epoll, ...ends(500, true), ...ends(501, false), event, epoll, ...ends(830, false), event];
const node22 = [epoll, ring, ...ends(500, true), ...ends(501, false), event, epoll, ring, ...ends(502, false), event];

function startedWith(inherited: Record<number, Opened>, own: readonly Opened[]): Array<Descriptor & Opened> {
  const left = [...own];
  const found: Array<Descriptor & Opened> = [];
  for (let fd = 3; left.length > 0 || inherited[fd] !== undefined; fd += 1) {
    found.push({ fd, ...(inherited[fd] ?? (left.shift() as Opened)) });
  }
  return found;
}

describe("descriptors that Node opened itself", () => {
  const [jobsRead, jobsWrite] = ends(77, true) as [Opened, Opened];
  const inherited: Array<Record<number, Opened>> = [
    {},
    { 3: file },
    { 3: file, 5: { target: "/dev/null", flags: 0o100000 }, 7: { target: "socket:[9]", flags: 2 } },
    { 4: file, 9: { target: "pipe:[500000]", flags: 0 } },
    { 3: jobsRead, 4: jobsWrite },
    { 4: jobsRead, 5: jobsWrite },
    { 5: jobsRead, 6: jobsWrite },
    { 6: jobsRead, 7: jobsWrite },
    { 8: jobsRead, 9: jobsWrite },
    { 3: { ...jobsRead, flags: jobsRead.flags | 0o4000 }, 4: jobsWrite },
    { 12: file },
  ];
  it.each([
    ["20", node20],
    ["22 and 24", node22],
  ])("are told from inherited ones: Node %s", (_, opened) => {
    for (const given of inherited) {
      const found = startedWith(given, opened);
      const own = nodesOwn(found, (fd) => found.find((one) => one.fd === fd)?.flags ?? 0);
      const strangers = found.filter((one) => !own.includes(one)).map(({ fd }) => fd);
      expect(strangers).toEqual(Object.keys(given).map(Number));
    }
  });
});

describe("descriptors above 2", () => {
  it.each([
    ["echo three >&3; cat <&4", "3>three 4<<<four", "four\n"],
    ["cat <&9; echo two >&8", "9< <(echo nine) 8>&1", "nine\ntwo\n"],
    ["cat /dev/fd/15", "15<<<fifteen", "fifteen\n"],
    ["ls /proc/self/fd", "3</dev/null 5</dev/null 7</dev/null", "0\n1\n2\n3\n4\n5\n7\n"],
    ["ls /proc/self/fd", "", "0\n1\n2\n3\n"],
  ])("are the command's: %s", async (script, redirections, want) => {
    const sandbox = new Sandbox();
    const line = `for fd in /proc/$$/fd/*; do fd=\${fd##*/}; [ $fd -gt 2 ] && eval "exec $fd>&-"; done 2>/dev/null
      toolout run -- bash -c "$1" ${redirections} | LC_ALL=C sort`;
    const bare = await sandbox.bash(line.replace("toolout run -- ", ""), { args: [script] });
    const wrapped = await sandbox.bash(line, { args: [script] });
    expect([bare.stdout.toString(), bare.stderr]).toEqual([want, ""]);
    expect([wrapped.stdout.toString(), wrapped.stderr]).toEqual([want, ""]);
  });

  it("end when the command has closed them", async () => {
    const sandbox = new Sandbox();
    const line = `mkfifo f; { cat f > /dev/null; touch ended; } &
      toolout run -- sh -c 'exec 3>&-; until [ -e ended ]; do sleep 0.1; done; exit 5' 3> f`;
    expect((await sandbox.bash(line)).status).toBe(5);
  });

  it("can be the caller's process substitution", async () => {
    const ended = await new Sandbox().bash("toolout run -- cat <(echo one) <(echo two)");
    expect(ended).toMatchObject({ stderr: "", status: 0 });
    expect(ended.stdout.toString()).toBe("one\ntwo\n");
  });

  it.runIf(hasMake())("can be a jobserver of make", async () => {
    const sandbox = new Sandbox();
    // Each of the two waits for the other: without the jobserver the inner make runs them one after the other.
    const inner =
      "%:\n\t@touch $@; for i in $$(seq 100); do [ -e a ] && [ -e b ] && echo both && exit; sleep 0.1; done\n";
    const line = `printf 'all:\\n\\t+@toolout run -- $(MAKE) -s -f inner a b\\n' > outer
      printf '%s' "$1" > inner; style=; make --version | grep -q '^GNU Make 4\\.[4-9]' && style=--jobserver-style=pipe
      make -s -j2 $style -f outer`;
    const ended = await sandbox.bash(line, { args: [inner] });
    expect([ended.stdout.toString(), ended.stderr]).toEqual(["both\nboth\n", ""]);
  });
});

function hasMake(): boolean {
  return process.env["PATH"]?.split(":").some((directory) => existsSync(join(directory, "make"))) === true;
}
