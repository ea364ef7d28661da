import type { Environment } from "../io.ts";
import type { Limits } from "../limits.ts";
import type { OutputWriter } from "../store/write.ts";

/**
 * Begins a stored output, which sweeps the store by `limits` if the disk is full. The store is loaded only now, since
 * most outputs need none. Throws Failure("io").
 */
export async function openStore(
  env: Environment,
  limitBytes: number,
  { retention, quotaBytes }: Pick<Limits, "retention" | "quotaBytes">,
): Promise<OutputWriter> {
  const [{ dataDirectory }, { beginOutput }, { sweep }] = await Promise.all([
    import("../paths.ts"),
    import("../store/write.ts"),
    import("../store/sweep.ts"),
  ]);
  const directory = await dataDirectory(env);
  const order = { retentionMs: retention, quotaBytes, isDryRun: false, env };
  return beginOutput(directory, limitBytes, () => sweep(directory, order, Date.now()));
}
