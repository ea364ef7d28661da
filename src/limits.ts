/**
 * Every limit of toolout: the one table from which flags, variables, the file, `config list`, help and manual come.
 * Which value wins where several are given is told in resolve.ts.
 */

import { Failure } from "./errors.ts";
import { formatCount, formatDuration, formatSize, parseDuration, parseInteger, parseSize } from "./text/quantity.ts";
import { quote } from "./text/quote.ts";

/** Every limit of toolout, made whole once at the edge; sizes in bytes, `retention` in milliseconds, `…Chars` in UTF-16 code units. */
export interface Limits {
  readonly maxLines: number;
  readonly maxBytes: number;
  readonly runChars: number | undefined;
  readonly pipeChars: number | undefined;
  readonly readChars: number | undefined;
  readonly headPercent: number;
  readonly captureBytes: number;
  readonly overflow: Overflow;
  readonly storeBytes: number;
  readonly quotaBytes: number;
  readonly readBytes: number;
  readonly lineChars: number;
  readonly retention: number;
  readonly redact: boolean;
}

export const overflows = ["store", "drop", "reject"] as const;

export type Overflow = (typeof overflows)[number];

export type LimitKey = keyof Limits;

export type LimitValue = Limits[LimitKey];

/** What a value counts; null where it is one of the row's `words`. */
export type LimitUnit = "lines" | "bytes" | "characters" | "percent" | "milliseconds" | null;

export interface LimitRow {
  readonly unit: LimitUnit;
  readonly default: LimitValue;
  readonly least: number;
  readonly most: number;
  /** The values of a limit that counts nothing. A limit that is true or false has a flag without an operand. */
  readonly words: readonly (string | boolean)[];
  readonly meaning: string;
  readonly flag: string | null;
  /** The commands that have the flag. */
  readonly commands: readonly string[];
  readonly variable: string;
}

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;
const TiB = 1024 * GiB;
const hour = 3_600_000;
const both = ["run", "pipe"];
const shown = [...both, "poll"];

export const limitTable: Readonly<Record<LimitKey, LimitRow>> = named({
  maxLines: row("lines", 2000, 1, 1_000_000, "lines printed for one output, marker included", "--max-lines", shown),
  maxBytes: row(
    "bytes",
    50 * KiB,
    KiB,
    64 * MiB,
    "bytes printed for one output, marker included",
    "--max-bytes",
    shown,
  ),
  runChars: row("characters", undefined, 1000, 200_000, "UTF-16 units printed for one output", "--max-chars", [
    "run",
    "poll",
  ]),
  pipeChars: row("characters", undefined, 1000, 200_000, "UTF-16 units printed for one output", "--max-chars", [
    "pipe",
  ]),
  readChars: row("characters", undefined, 1000, 200_000, "UTF-16 units in a page of read when no --limit is given"),
  headPercent: row("percent", 50, 0, 100, "the head's share of a preview", "--head-percent", shown),
  captureBytes: row("bytes", MiB, 64 * KiB, GiB, "the capture cap, per stream; see overflow", "--capture-bytes", both),
  overflow: wordRow(overflows, "store", "what happens to a stream past the capture cap", "--overflow", both),
  storeBytes: row("bytes", 64 * MiB, 64 * KiB, TiB, "disk for one stored output", "--store-bytes", both),
  quotaBytes: row("bytes", 2 * GiB, MiB, 16 * TiB, "disk for all stored outputs; gc removes the oldest first"),
  readBytes: row("bytes", 50 * KiB, KiB, 64 * MiB, "bytes of a page", "--limit", ["read"]),
  lineChars: row("characters", 2000, 80, 1_000_000, "a line shown by read FILE and grep; the rest of it is cut"),
  retention: row("milliseconds", 7 * 24 * hour, hour, 3650 * 24 * hour, "age at which gc removes a stored output"),
  redact: wordRow([true, false], false, "mask well-known secrets in what is shown and stored", "--redact", both),
});

export const limitKeys = Object.keys(limitTable) as readonly LimitKey[];

/** Profiles that need no file; one of the same name in the file overrides them field by field. */
export const builtInProfiles: Readonly<Record<string, Partial<Limits>>> = {
  deepchat: { runChars: 12_000, pipeChars: 5000, readChars: 4500 },
  webfetch: { captureBytes: 5 * MiB, overflow: "reject" },
  websearch: { captureBytes: 256 * KiB, overflow: "reject" },
};

export function isLimitKey(text: string): text is LimitKey {
  return Object.hasOwn(limitTable, text);
}

/**
 * The value of a limit given as text at the door, in base units.
 * @param source What carried the text, for the message: `--max-lines`, `TOOLOUT_MAX_LINES`, `profiles.reviewer.runChars`.
 * @throws Failure "usage" that names the limit, the text and the range.
 */
export function parseLimit(key: LimitKey, text: string, source: string): LimitValue {
  const value = readText(key, text);
  if (value !== undefined && isInRange(key, value)) return value;
  const { unit, least, most } = limitTable[key];
  const name = source.includes(key) ? source : `${source} (${key})`;
  const bytes = unit === "bytes" ? ` (${formatCount(least)} - ${formatCount(most)} bytes)` : "";
  const range = unit === null ? describeRange(key) : `in ${describeRange(key)}${bytes}`;
  throw new Failure("usage", `${name} must be ${describeKind(key)} ${range}, not ${quote(text)}`);
}

/** What a text says, in base units and whatever the range; undefined when it says nothing a limit could be. */
export function readText(key: LimitKey, text: string): LimitValue {
  const { unit, words } = limitTable[key];
  if (unit === null) return words.find((word) => namesOf(word).includes(text)) as LimitValue;
  if (unit === "bytes") return parseSize(text);
  return unit === "milliseconds" ? parseDuration(text) : parseInteger(text);
}

/** Variables that switch something on are set to 1 everywhere. */
function namesOf(word: string | boolean): string[] {
  return typeof word === "boolean" ? [String(word), String(Number(word))] : [word];
}

/** A value as `config list` shows it and `config set` takes it: `2000`, `50KiB`, `7d`, `store`, `true`; or `unset`. */
export function formatLimit(key: LimitKey, value: LimitValue): string {
  if (value === undefined) return "unset";
  if (typeof value !== "number") return String(value);
  const { unit } = limitTable[key];
  if (unit === "bytes") return formatSize(value);
  return unit === "milliseconds" ? formatDuration(value) : String(value);
}

/** The values a limit can have: `1 - 1,000,000`, `1KiB - 64MiB`, `1h - 3650d`, `store, drop, reject`. */
export function describeRange(key: LimitKey): string {
  const { unit, least, most, words } = limitTable[key];
  if (unit === null) return words.join(", ");
  const format = unit === "bytes" ? formatSize : unit === "milliseconds" ? formatDuration : formatCount;
  return `${format(least)} - ${format(most)}`;
}

/** What a value must be, for a message: `a whole number`, `a size such as 50KiB`. */
export function describeKind(key: LimitKey): string {
  const { unit } = limitTable[key];
  if (unit === null) return "one of";
  if (unit === "bytes") return "a size such as 50KiB";
  return unit === "milliseconds" ? "a duration such as 1h30m" : "a whole number";
}

function isInRange(key: LimitKey, value: LimitValue): boolean {
  const { least, most } = limitTable[key];
  return typeof value !== "number" || (value >= least && value <= most);
}

function row(
  unit: LimitUnit,
  preset: LimitValue,
  least: number,
  most: number,
  meaning: string,
  flag: string | null = null,
  commands: readonly string[] = [],
): Omit<LimitRow, "variable"> {
  return { unit, default: preset, least, most, words: [], meaning, flag, commands };
}

function wordRow(
  words: LimitRow["words"],
  preset: LimitValue,
  meaning: string,
  flag: string,
  commands: readonly string[],
): Omit<LimitRow, "variable"> {
  return { ...row(null, preset, 0, 0, meaning, flag, commands), words };
}

/** Gives each row its variable: `maxLines` is `TOOLOUT_MAX_LINES`. */
function named(rows: Record<LimitKey, Omit<LimitRow, "variable">>): Record<LimitKey, LimitRow> {
  const variable = (key: string) => `TOOLOUT_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
  return Object.fromEntries(
    Object.entries(rows).map(([key, rest]) => [key, { ...rest, variable: variable(key) }]),
  ) as Record<LimitKey, LimitRow>;
}
