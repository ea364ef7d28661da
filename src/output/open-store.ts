import type { Environment } from "../io.ts";
import type { OutputWriter } from "../store/write.ts";

/** Begins a stored output; the store is loaded only now, since most outputs need none. Throws Failure("io"). */
export async function openStore(env: Environment, limitBytes: number): Promise<OutputWriter> {
  const [{ dataDirectory }, { beginOutput }] = await Promise.all([import("../paths.ts"), import("../store/write.ts")]);
  return beginOutput(await dataDirectory(env), limitBytes);
}
