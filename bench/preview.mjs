/**
 * How often the default preview shows the line that explains a failure.
 *
 *     node bench/preview.mjs DIR
 *
 * DIR holds `labels.tsv` (file, tool, source, lines, bytes, number of the deciding line, …) and the outputs it names,
 * gzipped. A log counts as shown when the first 120 characters of its deciding line, without escape sequences, stand in
 * what `pipe` prints.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { gunzipSync } from "node:zlib";

const headPercents = [50, 20, 0];
const program = join(import.meta.dirname, "../bin/toolout.js");

const directory = process.argv[2];
if (directory === undefined) {
  console.error("usage: node bench/preview.mjs DIR");
  process.exitCode = 2;
} else {
  const scratch = mkdtempSync(join(tmpdir(), "toolout-bench-"));
  try {
    printScores(readLabels(directory).map((label) => ({ ...label, shown: shownAt(label, scratch) })));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function readLabels(folder) {
  const [, ...rows] = readFileSync(join(folder, "labels.tsv"), "utf8").trimEnd().split("\n");
  return rows.map((row) => {
    const [file, tool, , , , lineNumber] = row.split("\t");
    return { path: join(folder, file), tool, lineNumber: Number(lineNumber) };
  });
}

/** Whether the preview shows the deciding text, for each of `headPercents`. */
function shownAt({ path, lineNumber }, scratch) {
  const input = gunzipSync(readFileSync(path));
  const line = input.toString().split("\n")[lineNumber - 1];
  const deciding = stripVTControlCharacters(line).trim().slice(0, 120);
  return headPercents.map((percent) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, "pipe", "--head-percent", `${percent}`], {
      input,
      maxBuffer: 2 ** 26,
      env: { PATH: process.env.PATH, TOOLOUT_DATA_DIR: scratch, XDG_CONFIG_HOME: scratch },
    });
    if (status !== 0) throw new Error(`${path}: pipe ended with ${status}: ${stderr}`);
    return stripVTControlCharacters(stdout.toString()).includes(deciding);
  });
}

/** One row a tool, then all: how many logs show the line, of how many. */
function printScores(logs) {
  const tools = [...new Set(logs.map((log) => log.tool))].sort();
  console.log(["tool", ...headPercents.map((percent) => `head ${percent}`)].join("\t"));
  for (const tool of tools)
    printRow(
      tool,
      logs.filter((log) => log.tool === tool),
    );
  printRow("all", logs);
}

function printRow(name, logs) {
  const counts = headPercents.map((_, index) => logs.filter((log) => log.shown[index]).length);
  console.log([name, ...counts.map((count) => `${count}/${logs.length}`)].join("\t"));
}
