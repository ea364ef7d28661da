import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    reporters: ["default", "./test/closing-line-reporter.ts"],
    projects: [
      { test: { name: "unit", include: ["test/**/*.test.ts"], exclude: ["test/process/**"], testTimeout: 60_000 } },
      { test: { name: "process", include: ["test/process/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 } },
    ],
  },
});
