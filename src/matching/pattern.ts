/**
 * What grep looks for. Plain words are found by Buffer.indexOf, at memory speed. For anything else a backtracking engine
 * such as RegExp would let one pattern ((a+)+$ on a line of a) run for ever, and nothing can stop it from within; re2js, a
 * port of RE2 to JavaScript (MIT, no dependencies, no addon to build), takes time linear in the line, about 100 MB/s here,
 * and matches UTF-8 bytes as they are. It has no look-around and no back-references, which is what that costs.
 */
import { Failure } from "../errors.ts";
import { quote } from "../text/quote.ts";
import { caselessMatcher, isCaselessWord } from "./caseless.ts";

export interface LineMatcher {
  /** A byte of the first line that matches among those from `from` (the start of a line) on; -1 when none does. */
  findLine(lines: Buffer, from: number): number;
  /** Whether one line, without its line feed, matches. */
  matches(line: Buffer): boolean;
  /** Where in a line the match begins; -1 when there is none. */
  locate(line: Buffer): number;
}

export interface PatternOptions {
  readonly ignoreCase?: boolean | undefined;
  /** The pattern is plain text. */
  readonly fixed?: boolean | undefined;
  /** It must stand as a word: no letter, digit, mark or underscore on either side of it. */
  readonly word?: boolean | undefined;
}

const LF = 0x0a;

/** @throws Failure "usage" for what is no pattern. */
export async function compilePattern(pattern: string, options: PatternOptions): Promise<LineMatcher> {
  if (pattern.includes("\n")) {
    throw new Failure("usage", `a pattern is looked for in each line, so it cannot hold a line end: ${quote(pattern)}`);
  }
  const { fixed, ignoreCase, word } = options;
  const isPlain = fixed || /^[^\\^$.|?*+()[\]{}]*$/.test(pattern);
  if (isPlain && !word) {
    if (!ignoreCase) return plainMatcher(Buffer.from(pattern));
    if (isCaselessWord(pattern)) return caselessMatcher(pattern);
  }
  return expressionMatcher(pattern, options);
}

function plainMatcher(text: Buffer): LineMatcher {
  return {
    findLine: (lines, from) => lines.indexOf(text, from),
    matches: (line) => line.includes(text),
    locate: (line) => line.indexOf(text),
  };
}

/** Not a line end either: one stands where a long line is cut for the search, maybe inside a word. */
const noWord = "[^\\p{L}\\p{M}\\p{N}_\\n]";

async function expressionMatcher(pattern: string, { fixed, ignoreCase, word }: PatternOptions): Promise<LineMatcher> {
  const { RE2JS, RE2JSException } = await import("re2js");
  try {
    const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
    const bare = RE2JS.compile(fixed ? RE2JS.quote(pattern) : pattern, flags);
    // RE2 has no look-around: what stands beside the word is matched too, and the word is the first group.
    const expression = word ? RE2JS.compile(`(?:^|${noWord})(${bare.pattern()})(?:$|${noWord})`, flags) : bare;
    const matches = (line: Buffer) => expression.test(line);
    const locate = (line: Buffer) => {
      const matcher = expression.matcher(line);
      return matcher.find() ? matcher.start(word ? 1 : 0) : -1;
    };
    return { findLine: (lines, from) => findLineWhere(lines, from, matches), matches, locate };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const why = error.message.replace(/^error parsing regexp: /, "");
    throw new Failure("usage", `bad pattern ${quote(pattern)}: ${why}`, {
      hint: "patterns are those of RE2, without look-around and back-references; -F takes plain text",
      cause: error,
    });
  }
}

/** A byte of the first line from `from` on of which `matches` is true; -1 when there is none. */
export function findLineWhere(lines: Buffer, from: number, matches: (line: Buffer) => boolean): number {
  for (let at = from; at < lines.length; ) {
    const feed = lines.indexOf(LF, at);
    const end = feed < 0 ? lines.length : feed;
    if (matches(lines.subarray(at, end))) return at;
    at = end + 1;
  }
  return -1;
}
