/** Stands for the writer of an output that is stored already: nothing of it is stored again. */

import { Failure } from "../errors.ts";
import type { Keeper } from "../output/spill.ts";
import { replaceRecord } from "../store/adopt.ts";
import { managedDirectory } from "../store/directory.ts";
import { readRecord } from "../store/find.ts";
import { resourceOf } from "../store/metadata.ts";
import { uriOf } from "../store/reference.ts";

/** Throws what the system says when it is not there. */
export function storedKeeper(dataDirectory: string, id: string): Keeper {
  const record = readRecord(dataDirectory, id);
  if (record === undefined) throw new Failure("damaged", `${uriOf(id)} is damaged: its metadata is no record of it`);
  return {
    keptBytes: record.size,
    isFull: false,
    shortfall: undefined,
    write() {},
    flush() {},
    discard() {},
    commit({ shown }) {
      replaceRecord(managedDirectory(dataDirectory), shown === undefined ? record : { ...record, shown });
      return resourceOf(record);
    },
  };
}
