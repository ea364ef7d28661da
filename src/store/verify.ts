import { Failure } from "../errors.ts";
import { outputIDs } from "./find.ts";
import { openStoredOutput } from "./open.ts";
import { uriOf } from "./reference.ts";

export interface Verification {
  /** Stored outputs that were read to their end and found as their records say. */
  readonly sound: number;
  readonly damaged: readonly { readonly uri: string; readonly message: string }[];
  /** What could not be read, so that nothing is known of it. */
  readonly failures: readonly Failure[];
}

/**
 * Compares size and checksum of every stored output with its record; what is removed meanwhile does not count.
 * @throws Failure "io" when the store cannot be read
 */
export function verifyOutputs(dataDirectory: string): Verification {
  const damaged: { uri: string; message: string }[] = [];
  const failures: Failure[] = [];
  let sound = 0;
  for (const id of outputIDs(dataDirectory)) {
    try {
      openStoredOutput(dataDirectory, id, { session: undefined, anySession: true }, Number.POSITIVE_INFINITY).close();
      sound += 1;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.kind === "damaged") damaged.push({ uri: uriOf(id), message: error.message });
      else if (error.kind === "io") failures.push(error);
    }
  }
  return { sound, damaged, failures };
}
