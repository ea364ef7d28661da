import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig } from "rolldown";

// CommonJS starts quicker than ESM on Node 20; every `import()` in src becomes a chunk of its own, loaded only when used.
export default defineConfig([
  {
    input: { start: "src/start.ts" },
    platform: "node",
    output: {
      dir: "dist",
      format: "cjs",
      minify: true,
      cleanDir: true,
      dynamicImportInCjs: false,
      chunkFileNames: "[name].js",
    },
    plugins: [
      { name: "licences", generateBundle: emitLicences },
      { name: "raw", resolveId: resolveRaw, load: loadRaw },
    ],
  },
  { input: { loader: "src/loader.ts" }, platform: "node", output: { dir: "dist", format: "cjs", minify: true } },
]);

/** The licences of the packages whose code is in the bundle, as they ask for. */
function emitLicences() {
  const packages = new Set([...this.getModuleIds()].map(packageOf).filter((directory) => directory !== undefined));
  const texts = [...packages].sort().map((directory) => {
    const { name, version } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} is bundled and has no licence file`);
    return `${name} ${version}\n\n${readFileSync(join(directory, file), "utf8").trim()}\n`;
  });
  this.emitFile({ type: "asset", fileName: "THIRD_PARTY_LICENSES", source: texts.join(`\n${"-".repeat(72)}\n\n`) });
}

function packageOf(module) {
  if (!module.includes("/node_modules/") || !existsSync(module)) return undefined;
  let directory = dirname(module);
  while (!/node_modules\/(@[^/]+\/)?[^/]+$/.test(directory)) directory = dirname(directory);
  return directory;
}

/** `./name?raw` is the text of a file, as vite has it. */
function resolveRaw(source, importer) {
  return source.endsWith("?raw") ? join(dirname(importer), source) : null;
}

function loadRaw(id) {
  if (!id.endsWith("?raw")) return null;
  return `export default ${JSON.stringify(readFileSync(id.slice(0, -"?raw".length), "utf8"))};`;
}
