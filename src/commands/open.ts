/** `toolout open`: a copy of a stored output in the person's editor; what is stored stays as it is. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, reason } from "../errors.ts";
import type { Io } from "../io.ts";
import { dataDirectory } from "../paths.ts";
import { descriptorSource } from "../reading/source.ts";
import { askerOf } from "../store/asker.ts";
import { openStoredOutput, type StoredOutput } from "../store/open.ts";

export interface OpenRequest {
  /** A URI, an id, a unique prefix of one, or `last`. */
  readonly reference: string;
  readonly session?: string | undefined;
  readonly anySession?: boolean | undefined;
}

const pieceBytes = 1024 * 1024;

/**
 * Opens a copy, which nobody else can read and which cannot be written, in $VISUAL, $EDITOR or vi; it goes with the editor.
 * @returns The exit status, 0.
 * @throws Failure as `openStoredOutput`; "io" when the copy cannot be made or the editor fails
 */
export async function open(request: OpenRequest, io: Io): Promise<number> {
  const output = openStoredOutput(await dataDirectory(io.env), request.reference, askerOf(request, io.env));
  let directory: string | undefined;
  try {
    directory = mkdtempSync(join(tmpdir(), "toolout-open-"));
    const { VISUAL, EDITOR } = io.env;
    const editor = VISUAL || EDITOR || "vi";
    const copy = copyInto(directory, output);
    const { runEditor } = await import("../config/editor.ts");
    const status = await runEditor(editor, copy);
    if (status !== 0) throw new Failure("io", `the editor ${editor} ended with status ${status}`);
    return 0;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("io", `cannot copy ${output.record.uri} for the editor: ${reason(error)}`, { cause: error });
  } finally {
    output.close();
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  }
}

function copyInto(directory: string, { record, fd, size }: StoredOutput): string {
  const path = join(directory, `${record.id}.txt`);
  writeFileSync(path, "", { mode: 0o600, flag: "wx" });
  const source = descriptorSource(fd, size, record.uri);
  for (let at = 0; at < size; at += pieceBytes) writeFileSync(path, source.read(at, pieceBytes), { flag: "a" });
  chmodSync(path, 0o400);
  return path;
}
