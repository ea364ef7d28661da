/**
 * What grep looks for. Plain words are found by Buffer.indexOf, at memory speed. For anything else a backtracking engine
 * such as RegExp would let one pattern ((a+)+$ on a line of a) run for ever, and nothing can stop it from within; re2js, a
 * port of RE2 to JavaScript (MIT, no dependencies, no addon to build), takes time linear in the line, about 100 MB/s here,
 * and matches UTF-8 bytes as they are. It has no look-around and no back-references, which is what that costs.
 */
import { Failure } from "../errors.ts";
import { quote } from "../text/quote.ts";

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
}

const LF = 0x0a;

/** @throws Failure "usage" for what is no pattern. */
export async function compilePattern(pattern: string, options: PatternOptions): Promise<LineMatcher> {
  if (pattern.includes("\n")) {
    throw new Failure("usage", `a pattern is looked for in each line, so it cannot hold a line end: ${quote(pattern)}`);
  }
  const isPlain = options.fixed || /^[^\\^$.|?*+()[\]{}]*$/.test(pattern);
  return isPlain && !options.ignoreCase ? plainMatcher(Buffer.from(pattern)) : expressionMatcher(pattern, options);
}

function plainMatcher(text: Buffer): LineMatcher {
  return {
    findLine: (lines, from) => lines.indexOf(text, from),
    matches: (line) => line.includes(text),
    locate: (line) => line.indexOf(text),
  };
}

async function expressionMatcher(pattern: string, { fixed, ignoreCase }: PatternOptions): Promise<LineMatcher> {
  const { RE2JS, RE2JSException } = await import("re2js");
  try {
    const expression = RE2JS.compile(fixed ? RE2JS.quote(pattern) : pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    const matches = (line: Buffer) => expression.test(line);
    const locate = (line: Buffer) => {
      const matcher = expression.matcher(line);
      return matcher.find() ? matcher.start() : -1;
    };
    return { findLine: (lines, from) => findLine(lines, from, matches), matches, locate };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const why = error.message.replace(/^error parsing regexp: /, "");
    throw new Failure("usage", `bad pattern ${quote(pattern)}: ${why}`, {
      hint: "patterns are those of RE2, without look-around and back-references; -F takes plain text",
      cause: error,
    });
  }
}

function findLine(lines: Buffer, from: number, matches: (line: Buffer) => boolean): number {
  for (let at = from; at < lines.length; ) {
    const feed = lines.indexOf(LF, at);
    const end = feed < 0 ? lines.length : feed;
    if (matches(lines.subarray(at, end))) return at;
    at = end + 1;
  }
  return -1;
}
