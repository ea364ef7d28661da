import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Ends the run with one plain line, `N passed, M failed, K skipped`; an error outside a test counts as a failure. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        counts[state === "pending" ? "failed" : state] += 1;
      }
    }
    process.on("exit", () => {
      console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    });
  }
}
