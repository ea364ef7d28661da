import { Failure } from "../errors.ts";
import { managedDirectory, payloadName, recordName } from "../store/directory.ts";
import { removeFiles } from "../store/removal.ts";

/** Outputs stored in the course of something that may still be given up: those, and nothing else, go with it. */
export class MadeOutputs {
  readonly #directories = new Map<string, string>();

  add(id: string, dataDirectory: string): void {
    this.#directories.set(id, dataDirectory);
  }

  get count(): number {
    return this.#directories.size;
  }

  /** Removes one of them; does nothing for any other. Never throws: what stays is removed by gc in its time. */
  remove(id: string): void {
    const dataDirectory = this.#directories.get(id);
    if (dataDirectory === undefined) return;
    this.#directories.delete(id);
    try {
      removeFiles(managedDirectory(dataDirectory), [recordName(id), payloadName(id)]);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }

  removeAll(): void {
    for (const id of this.#directories.keys()) this.remove(id);
  }
}
