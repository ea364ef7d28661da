/**
 * Loads the chunks of the built program. Next to them the build leaves what V8 made of those that most commands need
 * (build/code-cache.mjs), for the Node it ran on: compiling them is a third of what toolout adds to Node's start. That file
 * holds their sources too, so that code and source are always of one build. Where there is none for this Node, or V8
 * rejects it (other flags, another processor), they are compiled as ever. Nothing is ever written here.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

interface Chunk {
  readonly source: string;
  readonly code: Buffer | undefined;
}

interface Module {
  exports: unknown;
}

/** The first line of the file: lengths in bytes, in the order in which the chunks follow it, source before code. */
export type CacheIndex = ReadonlyArray<{
  readonly name: string;
  readonly sourceBytes: number;
  readonly codeBytes: number;
}>;

const directory = __dirname;
/** The chunks loaded so far, for the build to ask V8 what it made of them. */
export const scripts = new Map<string, { readonly source: string; readonly script: Script }>();
const modules = new Map<string, Module>();
let cached: ReadonlyMap<string, Chunk> | undefined;

/** What a chunk exports, such as `start.js`; each runs once. */
export function load(name: string): unknown {
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  cached ??= readCache();
  const filename = join(directory, name);
  const { source, code } = cached.get(name) ?? { source: readFileSync(filename, "utf8"), code: undefined };
  const text = `(function(exports,require,module,__filename,__dirname){${source}\n})`;
  const script = new Script(text, code === undefined ? { filename } : { filename, cachedData: code });
  scripts.set(name, { source, script });
  const module: Module = { exports: {} };
  modules.set(name, module);
  const require = (wanted: string) =>
    wanted.startsWith("./") ? load(wanted.slice(2)) : process.getBuiltinModule(wanted);
  script.runInThisContext()(module.exports, require, module, filename, dirname(filename));
  return module.exports;
}

/** The name of the file for a Node of this version and processor. */
export function cacheName(): string {
  return `code-cache-${process.version}-${process.arch}`;
}

/** Empty without the file, and for one that was not written to its end. */
function readCache(): Map<string, Chunk> {
  const chunks = new Map<string, Chunk>();
  try {
    const bytes = readFileSync(join(directory, cacheName()));
    let at = bytes.indexOf(0x0a) + 1;
    const index: CacheIndex = JSON.parse(bytes.toString("utf8", 0, at));
    for (const { name, sourceBytes, codeBytes } of index) {
      const middle = at + sourceBytes;
      const end = middle + codeBytes;
      chunks.set(name, { source: bytes.toString("utf8", at, middle), code: bytes.subarray(middle, end) });
      at = end;
    }
    return at === bytes.length ? chunks : new Map();
  } catch {
    return new Map();
  }
}
