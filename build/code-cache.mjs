/**
 * Writes what V8 makes of the chunks that most commands need into dist, for src/loader.ts to start with. Each command is run
 * once, so that the functions it calls are in it, and not only those that V8 compiles ahead; `run`, the most frequent, last.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const dist = fileURLToPath(new URL("../dist", import.meta.url));
const loader = join(dist, "loader.js");
/** Small and large, so that the store is in it too. */
const commands = [["pipe"], ["read", "last"], ["run", "--", "true"], ["run", "--", "seq", "10000"]];
const [purpose, ...words] = process.argv.slice(2);
if (purpose === "compile") compile();
else collect();

/** Runs toolout with the words, and writes down what V8 has made of the chunks by its end. */
function compile() {
  process.argv = [process.argv[0], join(dist, "../bin/toolout.js"), ...words];
  const { load, scripts } = require(loader);
  process.on("exit", () => {
    const made = [...scripts].map(([name, { source, script }]) => [name, source, script.createCachedData()]);
    const chunks = made.map(([name, source, code]) => ({ name, source, code: code.toString("base64") }));
    writeFileSync(process.env.CODE_CACHE_PART, JSON.stringify(chunks));
  });
  load("start.js");
}

function collect() {
  const directory = mkdtempSync(join(tmpdir(), "toolout-build-"));
  const chunks = new Map();
  try {
    for (const command of commands) {
      const part = join(directory, "part");
      const args = [fileURLToPath(import.meta.url), "compile", ...command];
      // Without options of the one who builds: V8 takes a cache only with the flags it was made with.
      const env = { PATH: process.env.PATH, HOME: directory, CODE_CACHE_PART: part };
      const { status, stderr } = spawnSync(process.execPath, args, { env, input: "a line\n".repeat(10_000) });
      if (status !== 0) throw new Error(`toolout ${command.join(" ")} ended with ${status}: ${stderr}`);
      for (const chunk of JSON.parse(readFileSync(part, "utf8"))) chunks.set(chunk.name, chunk);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  const parts = [...chunks.values()].map(({ name, source, code }) => ({
    name,
    source: Buffer.from(source),
    code: Buffer.from(code, "base64"),
  }));
  const index = parts.map(({ name, source, code }) => ({ name, sourceBytes: source.length, codeBytes: code.length }));
  const bytes = [`${JSON.stringify(index)}\n`, ...parts.flatMap(({ source, code }) => [source, code])];
  writeFileSync(join(dist, require(loader).cacheName()), Buffer.concat(bytes.map((one) => Buffer.from(one))));
}
