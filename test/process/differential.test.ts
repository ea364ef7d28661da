/** Small programs made at random are the same with toolout in front of them as without. */
import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync, writeFileSync, writeSync } from "node:fs";
import { constants as system } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Sandbox } from "./sandbox.ts";

/** A program is a list of lines of sh, run one after the other; see the steps below. */
interface Program {
  readonly lines: readonly string[];
  readonly input: Buffer;
  readonly stdin: "file" | "pipe";
}

/** All that its caller sees of a program. */
interface Observation {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What the next reader of its stdin gets. */
  readonly rest: string;
}

type Layout = "apart" | "same file";

const fatal = words(
  "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT XCPU XFSZ VTALRM PROF POLL PWR SYS",
);
const harmless = words("CHLD CONT URG WINCH");
/** Told as 128 + n by toolout: those that dump core, and PIPE. */
const toldByNumber = words("QUIT ILL TRAP ABRT BUS FPE SEGV SYS XCPU XFSZ PIPE");

const bytes = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 30 }).map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 30 }).map((some) => Buffer.from(some)) },
  { weight: 4, arbitrary: fc.constantFrom("\n", "\r\n", "\0", "line\n", "é中\u{1f7e1}\n", "\xff\n").map(latinOrUtf8) },
);
const input = fc.array(bytes, { maxLength: 12 }).map((pieces) => Buffer.concat(pieces));
const stream = fc.constantFrom(1, 2);

const write = fc.tuple(bytes, stream).map(([some, fd]) => printLine(some, fd));
/** At most 8 of these are inside the limits together. */
const writeMuch = fc
  .tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 20 }), stream)
  .map(([lines, width, fd]) => `yes ${"x".repeat(width)} | head -n ${lines} >&${fd}`);
const read = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map((count) => `head -c ${count}`),
  fc.constant(`IFS= read -r line; printf '%s|' "$line"`),
  fc.constant("wc -c"),
);
const close = fc.constantFrom("exec <&-", "exec >&-", "exec 2>&-", "exec 2>&1", "exec >&2");
const pause = fc.integer({ min: 0, max: 20 }).map((ms) => `sleep ${ms / 1000}`);
const child = fc
  .tuple(write, pause, fc.constantFrom("", "& wait"), fc.integer({ min: 0, max: 255 }))
  .map(
    ([line, wait, background, status]) =>
      `{ sh -c '${wait}; ${line.replaceAll("'", '"')}; exit ${status}'; } ${background}`,
  );
const signalled = fc.constantFrom(...harmless).map((name) => `kill -s ${name} $$`);

const step = fc.oneof(
  { weight: 6, arbitrary: write },
  { weight: 1, arbitrary: writeMuch },
  { weight: 3, arbitrary: read },
  { weight: 1, arbitrary: close },
  { weight: 1, arbitrary: pause },
  { weight: 2, arbitrary: child },
  { weight: 1, arbitrary: signalled },
);
const end = fc.oneof(
  { weight: 1, arbitrary: fc.constant("exit") },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 255 }).map((status) => `exit ${status}`) },
  { weight: 3, arbitrary: fc.constantFrom(...fatal).map((name) => `kill -${numberOf(name)} $$`) },
);
const programs: fc.Arbitrary<Program> = fc
  .tuple(fc.array(step, { maxLength: 8 }), end, input, fc.constantFrom("file" as const, "pipe" as const))
  .map(([steps, last, given, stdin]) => ({ lines: ["ulimit -c 0", ...steps, last], input: given, stdin }));

/** With toolout, death by some signals is told as a status. */
function asWrapped(bare: Observation): Observation {
  const name = bare.signal?.slice("SIG".length) ?? "";
  return toldByNumber.includes(name) ? { ...bare, status: 128 + numberOf(name), signal: null } : bare;
}

class Laboratory {
  readonly #sandbox = new Sandbox();
  #runs = 0;

  async observe(run: readonly string[], { lines, input, stdin }: Program, layout: Layout): Promise<Observation> {
    this.#runs += 1;
    const path = (name: string) => join(this.#sandbox.work, `${this.#runs}-${name}`);
    const [outPath, errPath] = [path("out"), layout === "apart" ? path("err") : path("out")];
    const given = stdin === "file" ? openFile(path("in"), input) : openPipe(path("in"), input);
    // One open file for both, or a pipe and a file: what callers mostly have.
    const err = openSync(errPath, "w");
    try {
      const args = [...run, "sh", "-c", lines.join("\n")];
      const stdio = [given, layout === "apart" ? "pipe" : err, err] as const;
      const ended = await this.#sandbox.bash('exec "$@"', { args, stdio: [...stdio] });
      return {
        status: ended.status,
        signal: ended.signal,
        stdout: (layout === "apart" ? ended.stdout : readFileSync(outPath)).toString("latin1"),
        stderr: readFileSync(errPath, "latin1"),
        rest: readRest(given),
      };
    } finally {
      closeSync(given);
      closeSync(err);
    }
  }
}

function openFile(path: string, content: Buffer): number {
  writeFileSync(path, content);
  return openSync(path, "r");
}

/** A pipe that holds all of the content (pipe(7): it has room for 64 KiB), and whose writer has gone. */
function openPipe(path: string, content: Buffer): number {
  spawnSync("mkfifo", [path]);
  const writer = openSync(path, constants.O_RDWR);
  writeSync(writer, content);
  const reader = openSync(path, "r");
  closeSync(writer);
  return reader;
}

function readRest(fd: number): string {
  const pieces: Buffer[] = [];
  for (const buffer = Buffer.alloc(4096); ; ) {
    const count = readSync(fd, buffer);
    if (count === 0) return Buffer.concat(pieces).toString("latin1");
    pieces.push(Buffer.from(buffer.subarray(0, count)));
  }
}

function words(text: string): string[] {
  return text.split(" ");
}

function numberOf(name: string): number {
  return system.signals[`SIG${name}` as NodeJS.Signals];
}

/** Every byte as printf(1)'s octal escape, which any sh takes. */
function printLine(some: Buffer, fd: number): string {
  const escapes = Array.from(some, (byte) => `\\${byte.toString(8).padStart(3, "0")}`);
  return `printf '${escapes.join("")}' >&${fd}`;
}

function latinOrUtf8(text: string): Buffer {
  return Buffer.from(text, text === "\xff\n" ? "latin1" : "utf8");
}

it.each(["apart", "same file"] as const)("a random program is as without toolout, its streams: %s", async (layout) => {
  const laboratory = new Laboratory();
  const compare = async (program: Program) => {
    const [bare, wrapped] = await Promise.all([
      laboratory.observe([], program, layout),
      laboratory.observe(["toolout", "run", "--"], program, layout),
    ]);
    expect(wrapped).toEqual(asWrapped(bare));
  };
  const batches = fc.array(programs, { minLength: 1, maxLength: 8, size: "max" });
  const property = fc.asyncProperty(batches, async (batch) => {
    await Promise.all(batch.map(compare));
  });
  // A batch takes about 0.3 s of two processors; a busy machine makes fewer.
  await fc.assert(property, { numRuns: 30, interruptAfterTimeLimit: 10_000 });
});
