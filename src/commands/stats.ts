/** `toolout stats`: how much was stored, and how much of it a preview spared its reader. */
import type { Io } from "../io.ts";
import { dataDirectory } from "../paths.ts";
import { askerOf } from "../store/asker.ts";
import { type FilterRequest, parseFilter } from "../store/filter.ts";
import { recordsFor } from "../store/find.ts";
import type { OutputRecord } from "../store/metadata.ts";
import { roundSize } from "../text/person.ts";
import { formatCount } from "../text/quantity.ts";
import { alignColumns } from "../text/table.ts";
import { formatDocument } from "../text/visible.ts";

export interface StatsRequest extends FilterRequest {
  readonly json: boolean;
  readonly session?: string | undefined;
  readonly anySession?: boolean | undefined;
}

/** English text and program output have about so many bytes to a token; an estimate, whatever the tokeniser. */
const bytesPerToken = 4;
const chartDays = 7;
const chartColumns = 30;

interface Stats {
  /** Stored outputs, the bytes kept of them and the bytes there were. */
  readonly stored: { readonly count: number; readonly bytes: number; readonly outputBytes: number };
  /** Bytes in previews, markers not counted, and bytes left out, of those outputs whose records tell. */
  readonly shown: { readonly count: number; readonly bytes: number; readonly hiddenBytes: number };
  readonly estimatedTokens: { readonly shown: number; readonly hidden: number };
  /** The last days in local time, the oldest first. */
  readonly days: readonly { readonly day: string; readonly count: number; readonly bytes: number }[];
}

/**
 * Prints what the stored outputs that are still there add up to.
 * @returns The exit status, 0.
 * @throws Failure "io", "usage"
 */
export async function stats(request: StatsRequest, io: Io): Promise<number> {
  const isMeant = parseFilter(request, io.now());
  const records = [...recordsFor(await dataDirectory(io.env), askerOf(request, io.env))].filter(isMeant);
  const found = sumUp(records, io.now());
  io.stdout.write(request.json ? formatDocument({ version: 1, ...found }) : describe(found));
  return 0;
}

function sumUp(records: readonly OutputRecord[], nowMs: number): Stats {
  const telling = records.filter(({ shown }) => shown !== undefined);
  const shownBytes = sum(telling, ({ shown }) => (shown ? shown.head + shown.tail : 0));
  const hiddenBytes = sum(telling, ({ bytes }) => bytes) - shownBytes;
  return {
    stored: {
      count: records.length,
      bytes: sum(records, ({ size }) => size),
      outputBytes: sum(records, ({ bytes }) => bytes),
    },
    shown: { count: telling.length, bytes: shownBytes, hiddenBytes },
    estimatedTokens: { shown: Math.round(shownBytes / bytesPerToken), hidden: Math.round(hiddenBytes / bytesPerToken) },
    days: lastDays(nowMs).map((day) => {
      const ofDay = records.filter(({ created }) => localDay(created) === day);
      return { day, count: ofDay.length, bytes: sum(ofDay, ({ size }) => size) };
    }),
  };
}

function describe({ stored, shown, estimatedTokens, days }: Stats): string {
  const rows = [
    [
      "stored",
      outputs(stored.count),
      `${formatCount(stored.bytes)} bytes`,
      `of ${formatCount(stored.outputBytes)} printed`,
    ],
    ["shown", outputs(shown.count), `${formatCount(shown.bytes)} bytes`, tokens(estimatedTokens.shown)],
    ["hidden", "", `${formatCount(shown.hiddenBytes)} bytes`, tokens(estimatedTokens.hidden)],
  ];
  const most = Math.max(1, ...days.map(({ bytes }) => bytes));
  const chart = days.map(({ day, count, bytes }) => [
    day,
    count === 0 ? "-" : outputs(count),
    count === 0 ? "" : roundSize(bytes),
    "#".repeat(Math.ceil((bytes / most) * chartColumns)),
  ]);
  const lines = [...alignColumns(rows, [1, 2]), "", "stored in the last days:", ...alignColumns(chart, [1, 2])];
  return `${lines.join("\n")}\n`;
}

function tokens(count: number): string {
  return `estimate: ${formatCount(count)} tokens`;
}

function outputs(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "output" : "outputs"}`;
}

/** Days are counted by noon: one of them may have 23 or 25 hours. */
function lastDays(nowMs: number): string[] {
  const noon = new Date(nowMs).setHours(12, 0, 0, 0);
  return Array.from({ length: chartDays }, (_, i) => localDay(noon - (chartDays - 1 - i) * 86_400_000));
}

/** `2026-01-31`; "" for a time that no calendar reaches (ECMA-262, 21.4.1.1). */
function localDay(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return "";
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function sum(records: readonly OutputRecord[], count: (record: OutputRecord) => number): number {
  return records.reduce((total, record) => total + count(record), 0);
}
