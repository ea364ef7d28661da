/**
 * Whole-process wall times of toolout beside a peer, in turn (A B A B …) in one run: medians, and the median of the
 * ratios with their spread. Absolute times of a shared machine mean little; ratios of one run do.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const node = process.execPath;
const toolout = [node, resolve("bin/toolout.js")];
const directory = mkdtempSync(join(tmpdir(), "toolout-bench-"));
const log = join(directory, "log");
const copy = join(directory, "copy");
mkdirSync(join(directory, "home"));
// NODE_EXTRA_CA_CERTS is parsed at every start of Node 20 and would hide most of what is measured.
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
const env = {
  ...inherited,
  HOME: join(directory, "home"),
  XDG_DATA_HOME: join(directory, "data"),
  XDG_CONFIG_HOME: "",
};

const logBytes = 256 * 1024 * 1024;
const rows = [
  { name: "run -- true", runs: 30, a: [...toolout, "run", "--", "true"], peer: "node -e 0", b: [node, "-e", "0"] },
  {
    name: "pipe, small",
    runs: 30,
    a: shell(`echo hi | ${line(toolout)} pipe`),
    peer: "node -e 0",
    b: shell(`echo hi | "${node}" -e 0`),
  },
  {
    name: "read, a page in the middle",
    runs: 30,
    a: [...toolout, "read", "last", "--offset", "30000000"],
    peer: "node -e 0",
    b: [node, "-e", "0"],
  },
  {
    name: "13 MB, run",
    runs: 10,
    a: [...toolout, "run", "--", "head", "-c", "13000000", log],
    peer: "node -e 0",
    b: [node, "-e", "0"],
  },
  {
    name: "pipe, 256 MB log, stored",
    runs: 5,
    a: shell(`${line(toolout)} pipe --store-bytes 1GiB < "${log}"`),
    peer: "tee FILE",
    b: shell(`tee "${copy}" < "${log}" >/dev/null`),
  },
  {
    name: "cat | pipe, 256 MB log, stored",
    runs: 5,
    a: shell(`cat "${log}" | ${line(toolout)} pipe --store-bytes 1GiB`),
    peer: "cat | tee FILE",
    b: shell(`cat "${log}" | tee "${copy}" >/dev/null`),
  },
  {
    name: "run -- cat, 256 MB log, stored",
    runs: 5,
    a: [...toolout, "run", "--store-bytes", "1GiB", "--", "cat", log],
    peer: "cat | tee FILE",
    b: shell(`cat "${log}" | tee "${copy}" >/dev/null`),
  },
];

try {
  writeLog();
  time(shell(`${line(toolout)} pipe --store-bytes 1GiB < "${log}"`));
  console.log("| work | peer | toolout ms | peer ms | ratio (spread) |\n|---|---|---|---|---|");
  for (const row of rows) measure(row);
} finally {
  rmSync(directory, { recursive: true });
}

function measure({ name, runs, a, peer, b }) {
  const pairs = [];
  time(a);
  time(b);
  for (let i = 0; i < runs; i += 1) {
    pairs.push([time(a), time(b)]);
    if (runs < 10) time([...toolout, "rm", "last"]);
  }
  const ratios = pairs.map(([one, other]) => one / other).sort((x, y) => x - y);
  const [mine, theirs] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])).toFixed(0));
  const spread = `${ratios[0].toFixed(2)} - ${ratios.at(-1).toFixed(2)}`;
  console.log(`| ${name} | ${peer} | ${mine} | ${theirs} | ${median(ratios).toFixed(2)} (${spread}) |`);
}

function time([file, ...args]) {
  const start = performance.now();
  const { status, error } = spawnSync(file, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  if (error || status !== 0) throw error ?? new Error(`${file} ${args.join(" ")} ended with ${status}`);
  return performance.now() - start;
}

/** Lines of mixed length, as logs have them. */
function writeLog() {
  const lines = Array.from(
    { length: 4096 },
    (_, i) => `2026-01-01T00:00:${i} worker ${i % 7}: ${"x".repeat((i * 37) % 160)}\n`,
  );
  const block = lines.join("");
  writeFileSync(log, "");
  for (let bytes = 0; bytes < logBytes; bytes += block.length) writeFileSync(log, block, { flag: "a" });
}

function median(values) {
  const sorted = [...values].sort((x, y) => x - y);
  return sorted[Math.floor(sorted.length / 2)];
}

function shell(text) {
  return ["sh", "-c", text];
}

function line(words) {
  return words.map((word) => `"${word}"`).join(" ");
}
