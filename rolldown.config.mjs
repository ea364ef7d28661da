import { defineConfig } from "rolldown";

// CommonJS starts quicker than ESM on Node 20; every `import()` in src becomes a chunk of its own, loaded only when used.
export default defineConfig({
  input: { start: "src/start.ts" },
  platform: "node",
  output: { dir: "dist", format: "cjs", minify: true, cleanDir: true, chunkFileNames: "[name].js" },
});
