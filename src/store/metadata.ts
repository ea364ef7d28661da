import { uriOf } from "./reference.ts";

/** The metadata of a stored output, as `ID.json` holds it. */
export interface OutputRecord {
  readonly version: 1;
  readonly id: string;
  readonly uri: string;
  /** Stands for the session, see session.ts; null for none. */
  readonly sessionID: string | null;
  readonly toolCallID: string | null;
  readonly mime: string;
  readonly name: string;
  /** Bytes of the payload. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly created: number;
  /** Lines of the whole output. */
  readonly lines: number;
  /** Bytes of the whole output; more than `size` when not all was kept. */
  readonly bytes: number;
  /** The payload is the whole output. */
  readonly complete: boolean;
  /** CRC-32 of the payload, 8 hex digits. */
  readonly crc32: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Bytes of the output's beginning and end that its preview showed. */
  readonly shown?: Shown;
  /** Secrets masked, where they were looked for. */
  readonly redacted?: number;
  /** Only with --record-command: command lines hold secrets. */
  readonly command?: readonly string[];
}

export interface Shown {
  readonly head: number;
  readonly tail: number;
}

/** What others are told of a stored output. */
export interface Resource {
  readonly uri: string;
  readonly mime: string;
  readonly name: string;
  /** Stored bytes. */
  readonly size: number;
}

export function resourceOf({ uri, mime, name, size }: OutputRecord): Resource {
  return { uri, mime, name, size };
}

export function formatRecord(record: OutputRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** The record of the output `id`; undefined when the text is no such record. Fields of later versions are left out. */
export function parseRecord(text: string, id: string): OutputRecord | undefined {
  const fields = parseObject(text);
  if (fields === undefined || fields.id !== id || fields.uri !== uriOf(id)) return undefined;
  const keys = Object.keys(checks) as (keyof OutputRecord)[];
  if (!keys.every((key) => checks[key](fields[key]))) return undefined;
  const known = keys.filter((key) => fields[key] !== undefined).map((key) => [key, fields[key]]);
  return Object.fromEntries(known) as OutputRecord;
}

type Fields = { readonly [key in keyof OutputRecord]?: unknown };

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown) => typeof value === "string";
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

function isShown(value: unknown): value is Shown {
  const { head, tail } = (typeof value === "object" ? (value ?? {}) : {}) as Partial<Shown>;
  return isCount(head) && isCount(tail);
}

const checks: Readonly<Record<keyof OutputRecord, (value: unknown) => boolean>> = {
  version: (value) => value === 1,
  id: isText,
  uri: isText,
  sessionID: (value) => value === null || (isText(value) && /^[0-9a-f]{64}$/.test(value as string)),
  toolCallID: isTextOrNull,
  mime: isText,
  name: isText,
  size: isCount,
  created: (value) => Number.isFinite(value),
  lines: isCount,
  bytes: isCount,
  complete: (value) => typeof value === "boolean",
  crc32: (value) => isText(value) && /^[0-9a-f]{8}$/.test(value as string),
  exitCode: (value) => value === null || Number.isSafeInteger(value),
  signal: isTextOrNull,
  shown: (value) => value === undefined || isShown(value),
  redacted: (value) => value === undefined || isCount(value),
  command: (value) => value === undefined || (Array.isArray(value) && value.every(isText)),
};
