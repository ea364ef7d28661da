import { type LinePlace, lastLinesStart, lineEnd } from "./lines.ts";
import type { MatchingLine } from "./search.ts";
import type { ByteSource } from "./source.ts";

export type ShownLine =
  | ({ readonly kind: "match" } & MatchingLine)
  | { readonly kind: "context"; readonly number: number; readonly start: number; readonly end: number }
  /** Lines were left out here, before the line at byte `start`. */
  | { readonly kind: "gap"; readonly start: number };

/** How many lines to show before and after each match. */
export interface ContextLines {
  readonly before: number;
  readonly after: number;
}

/**
 * The matching lines from `from` on with the lines around each, in order and each once.
 * @param isWanted Asked before context is looked for; when it says no, only the matches come.
 * @throws Failure "io"
 */
export function* withContext(
  source: ByteSource,
  matches: Iterable<MatchingLine>,
  from: LinePlace,
  { before, after }: ContextLines,
  isWanted: () => boolean,
): Generator<ShownLine, void> {
  // The line behind the last match and its context so far, and how many more belong to that match.
  let { start: at, number } = from;
  let owed = 0;
  function* contextUpTo(end: number): Generator<ShownLine, void> {
    for (; owed > 0 && at < end && isWanted(); owed -= 1) {
      const start = at;
      at = lineEnd(source, start);
      yield { kind: "context", number, start, end: at };
      number += 1;
    }
  }
  for (const match of matches) {
    if (before + after > 0 && isWanted()) {
      yield* contextUpTo(match.start);
      const starts = linesBetween(source, before, at, match.start);
      const first = starts[0] ?? match.start;
      if (first > at && number > from.number) yield { kind: "gap", start: first };
      at = first;
      number = match.number - starts.length;
      owed = starts.length;
      yield* contextUpTo(match.start);
    }
    yield { kind: "match", ...match };
    at = match.end;
    number = match.number + 1;
    owed = after;
  }
  yield* contextUpTo(source.size);
}

/** Where the last `count` lines between two starts of lines begin. */
function linesBetween(source: ByteSource, count: number, from: number, to: number): number[] {
  const starts: number[] = [];
  if (count === 0) return starts;
  for (let at = lastLinesStart(source, count, to, from); at < to; at = lineEnd(source, at)) starts.push(at);
  return starts;
}
