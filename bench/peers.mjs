/** What is measured beside what: each row is a work of toolout's, and a peer that does as much of it as it can. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

const node = process.execPath;
const toolout = [node, resolve("bin/toolout.js")];
const store = ["--store-bytes", "16GiB"];
/** tokenjuice took longer than a minute for 1 MB. */
const smallBytes = 30_000;

/**
 * The rows. `input` is a name of inputs.mjs and `bytes` its size, written to `file(input, bytes)`; `a` is toolout, `b` the
 * peer; `stores` says that each run of `a` leaves a stored output to be removed.
 */
export function rows({ file, copy, largeBytes, tokenjuice }) {
  const empty = [node, "-e", "0"];
  const large = (name) => ({ input: name, bytes: largeBytes, stores: true, runs: 5 });
  const streams = Object.entries({ log: "a log", yes: "`yes`", line: "one line", zeros: "zeros", utf8: "UTF-8" });
  const bytesOf = (name, bytes) => JSON.stringify(file(name, bytes));
  const piped = streams.map(([name, words]) => ({
    ...large(name),
    work: `\`cat | toolout pipe\`, ${words}, stored`,
    a: shell(`cat ${bytesOf(name, largeBytes)} | ${line(toolout)} pipe ${store.join(" ")}`),
    peer: "`cat | tee FILE`",
    b: shell(`cat ${bytesOf(name, largeBytes)} | tee "${copy}"`),
  }));
  const runOf = (peer, b) => ({
    work: "`toolout run -- true`",
    a: [...toolout, "run", "--", "true"],
    peer,
    b,
    runs: 30,
  });
  const all = [
    runOf("`node -e 0`", empty),
    runOf("`timeout 9 true`", ["timeout", "9", "true"]),
    runOf("`script -qec true`", ["script", "-qec", "true", "/dev/null"]),
    runOf("`chronic true`", ["chronic", "true"]),
    {
      work: "`echo hi | toolout pipe`",
      a: shell(`echo hi | ${line(toolout)} pipe`),
      peer: "`echo hi | node -e 0`",
      b: shell(`echo hi | ${line(empty)}`),
      runs: 30,
    },
    {
      work: "`toolout run`, 13 MB bounded",
      input: "log",
      bytes: 13_000_000,
      stores: true,
      a: [...toolout, "run", "--", "cat", file("log", 13_000_000)],
      peer: "`node -e 0`",
      b: empty,
      runs: 20,
    },
    {
      ...large("log"),
      work: "`toolout pipe < FILE`, a log, stored",
      a: shell(`${line(toolout)} pipe ${store.join(" ")} < ${bytesOf("log", largeBytes)}`),
      peer: "`tee FILE < FILE`",
      b: shell(`tee "${copy}" < ${bytesOf("log", largeBytes)}`),
    },
    ...piped,
    {
      ...large("log"),
      work: "`toolout run -- cat`, a log, stored",
      a: [...toolout, "run", ...store, "--", "cat", file("log", largeBytes)],
      peer: '`sh -c "cat | tee FILE"`',
      b: shell(`cat ${bytesOf("log", largeBytes)} | tee "${copy}"`),
    },
    {
      ...large("log"),
      stores: false,
      work: "`toolout pipe`, a log, over `drop`",
      a: shell(`cat ${bytesOf("log", largeBytes)} | ${line(toolout)} pipe --overflow drop`),
      peer: "`cat | wc -l`",
      b: shell(`cat ${bytesOf("log", largeBytes)} | wc -l`),
    },
    {
      input: "log",
      bytes: largeBytes,
      keeps: true,
      work: "`toolout read` of a page in the middle",
      a: [...toolout, "read", "last", "--offset", String(Math.floor(largeBytes / 2))],
      peer: "`node -e 0`",
      b: empty,
      runs: 30,
    },
    ...[[], ["-i"]].map((flags) => ({
      input: "log",
      bytes: largeBytes,
      work: `\`toolout grep ${[...flags, "WORD"].join(" ")}\`, found nowhere`,
      a: [...toolout, "grep", ...flags, "request 9001:", file("log", largeBytes)],
      peer: `\`grep -n ${[...flags, "WORD"].join(" ")}\``,
      b: ["grep", "-n", ...flags, "request 9001:", file("log", largeBytes)],
      runs: 5,
      status: 1,
    })),
  ];
  if (tokenjuice !== undefined) {
    all.push({
      work: "`toolout run -- cat`, 30 KB",
      input: "log",
      bytes: smallBytes,
      stores: true,
      a: [...toolout, "run", "--", "cat", file("log", smallBytes)],
      peer: "`tokenjuice wrap -- cat`",
      b: [node, tokenjuice, "wrap", "--", "cat", file("log", smallBytes)],
      runs: 5,
    });
  }
  return all;
}

/** Whether a program can be run here. */
export function exists(program) {
  return spawnSync("sh", ["-c", 'command -v "$1"', "sh", program]).status === 0;
}

/** Installs the npm package of the name into a folder of its own; the path of its program, undefined without a network. */
export function installPeer(name, directory) {
  const { status } = spawnSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", directory, name]);
  return status === 0 ? join(directory, "node_modules/.bin", name) : undefined;
}

export const storeOne = (file) => shell(`${line(toolout)} pipe ${store.join(" ")} < "${file}"`);
export const removeLast = [...toolout, "rm", "last"];

function shell(text) {
  return ["sh", "-c", text];
}

function line(words) {
  return words.map((word) => `"${word}"`).join(" ");
}
