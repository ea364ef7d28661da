import { Failure } from "../errors.ts";
import { parseDuration } from "../text/quantity.ts";
import { quote } from "../text/quote.ts";
import type { OutputRecord } from "./metadata.ts";

/** Which of the outputs that an asker may see are meant, as it was given. */
export interface FilterRequest {
  /** A time back from now (`2h`, `7d`), or a date with or without a time (ISO 8601), in the local zone unless it names one. */
  readonly since?: string | undefined;
  /** A name, in which each `*` stands for any characters. */
  readonly named?: string | undefined;
}

export type Filter = (record: Pick<OutputRecord, "created" | "name">) => boolean;

/** @throws Failure "usage" */
export function parseFilter({ since, named }: FilterRequest, nowMs: number): Filter {
  const sinceMs = since === undefined ? Number.NEGATIVE_INFINITY : parseSince(since, nowMs);
  const parts = named?.split("*");
  return ({ created, name }) => created >= sinceMs && (parts === undefined || matches(name, parts));
}

export function isFiltering({ since, named }: FilterRequest): boolean {
  return since !== undefined || named !== undefined;
}

function parseSince(text: string, nowMs: number): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return nowMs - ms;
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text;
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(time) ? Date.parse(time) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new Failure(
    "usage",
    `--since must be a duration such as 2h or 7d, or a date such as 2026-01-31 or 2026-01-31T08:30, not ${quote(text)}`,
  );
}

/** The parts between the stars follow each other in the name, the first at its beginning and the last at its end. */
function matches(name: string, parts: readonly string[]): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
