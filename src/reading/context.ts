import { lastLinesStart, lineEnd } from "./lines.ts";
import type { MatchingLine } from "./search.ts";
import type { ByteSource } from "./source.ts";

export type ShownLine =
  | ({ readonly kind: "match" } & MatchingLine)
  | { readonly kind: "context"; readonly number: number; readonly start: number; readonly end: number }
  /** Lines were left out here, before the line at byte `start`. */
  | { readonly kind: "gap"; readonly start: number };

/**
 * The matching lines with up to `count` lines around each, in order and each once.
 * @param isWanted Asked before context is looked for; when it says no, only the matches come.
 * @throws Failure "io"
 */
export function* withContext(
  source: ByteSource,
  matches: Iterable<MatchingLine>,
  count: number,
  isWanted: () => boolean,
): Generator<ShownLine, void> {
  // The line behind the last match and its context so far, and how many more belong to that match.
  let at = 0;
  let number = 1;
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
    if (count > 0 && isWanted()) {
      yield* contextUpTo(match.start);
      const starts = linesBetween(source, lastLinesStart(source, count, match.start, at), match.start);
      const first = starts[0] ?? match.start;
      if (first > at && number > 1) yield { kind: "gap", start: first };
      at = first;
      number = match.number - starts.length;
      owed = starts.length;
      yield* contextUpTo(match.start);
    }
    yield { kind: "match", ...match };
    at = match.end;
    number = match.number + 1;
    owed = count;
  }
  yield* contextUpTo(source.size);
}

function linesBetween(source: ByteSource, from: number, to: number): number[] {
  const starts: number[] = [];
  for (let at = from; at < to; at = lineEnd(source, at)) starts.push(at);
  return starts;
}
