/** What grep is asked for: understood, and put into words again for the search that leads on from where one was cut. */

import type { PatternOptions } from "../matching/pattern.ts";
import { shellWord } from "../text/shell-word.ts";
import type { ContextLines } from "./context.ts";
import { parseWhole } from "./request.ts";

/** In the texts that were given. */
export interface SearchRequest extends PatternOptions {
  readonly pattern: string;
  /** The lines that do not match are wanted. */
  readonly inverted?: boolean | undefined;
  readonly context?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** Lines after which to stop. */
  readonly maxCount?: string | undefined;
  /** Byte from which on to search. */
  readonly offset?: string | undefined;
}

export interface SearchPlan {
  readonly context: ContextLines;
  /** 1 or more, or infinite. */
  readonly maxCount: number;
  readonly offset: number;
}

/**
 * @param mostContext More lines than this around a match would not be shown.
 * @throws Failure "usage" that names the option and its value
 */
export function planSearch(request: SearchRequest, mostContext: number): SearchPlan {
  const around = parseWhole("--context", request.context, 0) ?? 0;
  const lines = (option: string, text: string | undefined) =>
    Math.min(parseWhole(option, text, 0) ?? around, mostContext);
  return {
    context: {
      before: lines("--before-context", request.before),
      after: lines("--after-context", request.after),
    },
    maxCount: parseWhole("--max-count", request.maxCount, 1) ?? Number.POSITIVE_INFINITY,
    offset: parseWhole("--offset", request.offset, 0) ?? 0,
  };
}

const mostPatternBytes = 100;

/** The command line that goes on with the search at a byte, when `shown` lines of it were shown. */
export function searchOn(
  request: SearchRequest,
  plan: SearchPlan,
  words: string,
  shown: number,
  offset: number,
): string {
  const { before, after } = plan.context;
  const letters = `${request.ignoreCase ? "i" : ""}${request.fixed ? "F" : ""}${request.word ? "w" : ""}${request.inverted ? "v" : ""}`;
  const options = [
    ...(letters === "" ? [] : [`-${letters}`]),
    ...(before === 0 ? [] : [`-B ${before}`]),
    ...(after === 0 ? [] : [`-A ${after}`]),
    ...(plan.maxCount === Number.POSITIVE_INFINITY ? [] : [`-m ${plan.maxCount - shown}`]),
  ];
  const operands = [
    ...(request.pattern.startsWith("-") ? ["--"] : []),
    shellWord(request.pattern, mostPatternBytes),
    words,
  ];
  return ["toolout grep", ...options, `--offset ${offset}`, ...operands].join(" ");
}
