/**
 * Measures toolout beside its peers and prints a table; see README.md here.
 * usage: npm run bench [-- [--only TEXT] [--large SIZE_IN_MB] [--peers]]    (--peers installs those of npm, in a folder apart)
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeInput } from "./inputs.mjs";
import { load, measurePair, peakMiB } from "./measure.mjs";
import { exists, installPeer, removeLast, rows, storeOne } from "./peers.mjs";

const { values } = parseArgs({
  options: { only: { type: "string" }, large: { type: "string", default: "1000" }, peers: { type: "boolean" } },
});
const directory = mkdtempSync(join(tmpdir(), "toolout-bench-"));
const file = (input, bytes) => join(directory, `${input}-${bytes}`);
mkdirSync(join(directory, "home"));
// NODE_EXTRA_CA_CERTS is parsed at every start of Node 20 and would hide most of what is measured.
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
const home = { HOME: join(directory, "home"), XDG_DATA_HOME: join(directory, "data"), XDG_CONFIG_HOME: "" };
const env = { ...inherited, ...home, TOOLOUT_QUOTA_BYTES: "1TiB" };

try {
  const tokenjuice = values.peers ? installPeer("tokenjuice", join(directory, "npm")) : undefined;
  const largeBytes = Number(values.large) * 1_000_000;
  console.log(`Node ${process.version}, load ${load()}; large inputs of ${values.large} MB.\n`);
  console.log("| work | beside | ratio (quartiles) | ms | peer's ms | peak MiB |\n|---|---|---|---|---|---|");
  for (const row of rows({ file, copy: join(directory, "copy"), largeBytes, tokenjuice })) {
    if (values.only === undefined || row.work.includes(values.only)) show(row);
  }
} finally {
  rmSync(directory, { recursive: true });
}

function show(row) {
  const { work, peer, a, b, runs } = row;
  if (!exists(b[0])) {
    console.log(`| ${work} | ${peer} | not installed here | | | |`);
    return;
  }
  prepare(row);
  const remove = () => spawnSync(removeLast[0], removeLast.slice(1), { env });
  const status = row.status ?? 0;
  const { ownMs, peerMs, ratio, spread, isNoisy } = measurePair({
    a,
    b,
    runs,
    env,
    status,
    between: row.stores && remove,
  });
  const peak = peakMiB(a, env)?.toFixed(0) ?? "";
  if (row.stores || row.keeps) remove();
  const quartiles = spread.map((one) => one.toFixed(2)).join(" - ");
  const told = `${ratio.toFixed(2)} (${quartiles}${isNoisy ? "; noisy" : ""})`;
  console.log(`| ${work} | ${peer} | ${told} | ${ownMs.toFixed(0)} | ${peerMs.toFixed(0)} | ${peak} |`);
}

function prepare({ input, bytes, keeps }) {
  if (input === undefined) return;
  const path = file(input, bytes);
  if (!existsSync(path)) writeInput(input, bytes, path);
  if (keeps) spawnSync(storeOne(path)[0], storeOne(path).slice(1), { env, stdio: "ignore" });
}
