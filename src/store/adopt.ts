/** Makes a stored output of what a writer left that was killed: the part that had reached the disk. */
import { closeSync, fstatSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { hasCode } from "../errors.ts";
import { countLineFeeds } from "../text/lines.ts";
import { formatChecksum } from "./checksum.ts";
import { managedDirectory, payloadName, readNames, recordName } from "./directory.ts";
import { createPrivateFile, openRegularFile, readAt, writeFully } from "./file.ts";
import { formatRecord, type OutputRecord } from "./metadata.ts";
import { uriOf } from "./reference.ts";
import { parseMarkName } from "./writer-mark.ts";

const pieceBytes = 1024 * 1024;

/**
 * Commits the payload of a dead writer as an output that is not complete; undefined when there is no payload. Two who do so
 * at once write the same. Throws what the system says.
 */
export function adoptOutput(
  dataDirectory: string,
  id: string,
  facts: Pick<OutputRecord, "sessionID" | "toolCallID" | "name">,
): OutputRecord | undefined {
  const managed = managedDirectory(dataDirectory);
  const fd = openPayload(join(managed, payloadName(id)));
  if (fd === undefined) return undefined;
  try {
    const { sessionID, toolCallID, name } = facts;
    const { mtimeMs: created } = fstatSync(fd);
    const own = { version: 1, id, uri: uriOf(id), complete: false, exitCode: null, signal: null } as const;
    const record = { ...own, sessionID, toolCallID, name, created, ...measure(fd), shown: { head: 0, tail: 0 } };
    replaceRecord(managed, record);
    removeMarks(managed, id);
    return record;
  } finally {
    closeSync(fd);
  }
}

function openPayload(path: string): number | undefined {
  try {
    return openRegularFile(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** What the end would have said of these bytes; how many there would have been nobody knows. */
function measure(fd: number): Pick<OutputRecord, "mime" | "size" | "bytes" | "lines" | "crc32"> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  let [size, lineFeeds, lastByte, sum, hasNul] = [0, 0, 0x0a, 0, false];
  for (;;) {
    const bytes = readAt(fd, buffer, size);
    if (bytes.length === 0) break;
    hasNul ||= size === 0 && bytes.includes(0);
    size += bytes.length;
    lineFeeds += countLineFeeds(bytes);
    lastByte = bytes[bytes.length - 1] as number;
    sum = crc32(bytes, sum);
  }
  const mime = hasNul ? "application/octet-stream" : "text/plain";
  return { mime, size, bytes: size, lines: lineFeeds + Number(lastByte !== 0x0a), crc32: formatChecksum(sum) };
}

/** Puts the record in place of the one that is there, at once and whole. Throws what the system says. */
export function replaceRecord(managed: string, record: OutputRecord): void {
  // Named as a mark of this process, so that gc knows what it is should this process be killed, too.
  const aside = join(managed, `${record.id}.${process.pid}.0.tmp`);
  rmSync(aside, { force: true });
  const fd = createPrivateFile(aside);
  try {
    writeFully(fd, Buffer.from(formatRecord(record)));
  } finally {
    closeSync(fd);
  }
  renameSync(aside, join(managed, recordName(record.id)));
}

function removeMarks(managed: string, id: string): void {
  for (const name of readNames(managed))
    if (parseMarkName(name)?.id === id) rmSync(join(managed, name), { force: true });
}
