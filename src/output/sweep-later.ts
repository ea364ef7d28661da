import type { Environment } from "../io.ts";

/** After something was stored, and at most hourly, lets a process of its own clean up, so that nobody waits for it. */
export async function sweepLater(env: Environment, now: number): Promise<void> {
  const [{ dataDirectory }, { isSweepDue }] = await Promise.all([
    import("../paths.ts"),
    import("../store/schedule.ts"),
  ]);
  const directory = await dataDirectory(env);
  if (!isSweepDue(directory, now)) return;
  const program = process.argv[1];
  if (program === undefined) return;
  const { spawn } = await import("node:child_process");
  const sweeper = spawn(process.execPath, [program, "gc", "--quiet"], {
    detached: true,
    stdio: "ignore",
    env: { ...env, TOOLOUT_DATA_DIR: directory }, // resolved: the sweeper works elsewhere
    cwd: "/",
  });
  sweeper.on("error", () => {}); // no process to be had: the next one sweeps
  sweeper.unref();
}
