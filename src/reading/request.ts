import { Failure } from "../errors.ts";
import { type Limits, parseLimit } from "../limits.ts";
import { parseInteger } from "../text/quantity.ts";
import { quote } from "../text/quote.ts";

/** What the caller wants to read, in the texts that were given. */
export interface PageRequest {
  readonly offset?: string | undefined;
  readonly limit?: string | undefined;
  readonly line?: string | undefined;
  readonly lines?: string | undefined;
  readonly tail?: string | undefined;
  readonly omitted?: boolean | undefined;
}

/** The same, understood. `line`, `lines` and `tail` are 1 or more, `offset` 0 or more; at most one says where to begin. */
export interface PagePlan {
  readonly offset: number | undefined;
  readonly line: number | undefined;
  readonly tail: number | undefined;
  readonly lines: number | undefined;
  readonly limitBytes: number | undefined;
  /** Only what the preview of a stored output left out. */
  readonly omitted: boolean | undefined;
}

/** @throws Failure "usage" that names the option and its value. */
export function planPage(request: PageRequest): PagePlan {
  refuseBoth(request, "offset", "line");
  refuseBoth(request, "offset", "tail");
  refuseBoth(request, "line", "tail");
  refuseBoth(request, "lines", "tail");
  const { limit, omitted } = request;
  for (const option of ["line", "lines", "tail"] as const) if (omitted) refuseBoth(request, option, "omitted");
  const range = parseRange(request);
  return {
    offset: parseWhole("--offset", request.offset, 0),
    line: range?.line ?? parseWhole("--line", request.line, 1),
    tail: parseWhole("--tail", request.tail, 1),
    lines: range === undefined ? parseWhole("--lines", request.lines, 1) : range.lines,
    limitBytes: limit === undefined ? undefined : (parseLimit("readBytes", limit, "--limit") as Limits["readBytes"]),
    omitted,
  };
}

/**
 * A whole number of at least `least`; undefined when the option was not given.
 * @throws Failure "usage"
 */
export function parseWhole(option: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = parseInteger(text);
  if (value !== undefined && value >= least) return value;
  throw new Failure("usage", `${option} must be a whole number of ${least} or more, not ${quote(text)}`);
}

/** `--lines A:B`, both counted from 1 and both included; `A:` goes on to the end, `:B` begins at the first. */
function parseRange({ line, lines, offset }: PageRequest): Pick<PagePlan, "line" | "lines"> | undefined {
  const match = /^(\d*):(\d*)$/.exec(lines ?? "");
  if (match === null) return undefined;
  for (const [name, value] of Object.entries({ line, offset })) {
    if (value !== undefined) throw new Failure("usage", `--${name} and --lines A:B exclude each other`);
  }
  const [first, last] = [parseInteger(match[1] || "1"), match[2] === "" ? undefined : parseInteger(match[2] as string)];
  const isSound = first !== undefined && first >= 1 && lines !== ":" && (match[2] === "" || (last ?? 0) >= first);
  if (!isSound) throw new Failure("usage", `--lines A:B must be two lines, the first from 1 on, not ${quote(lines)}`);
  return { line: first, lines: last === undefined ? undefined : last - first + 1 };
}

function refuseBoth(request: PageRequest, one: keyof PageRequest, other: keyof PageRequest): void {
  if (request[one] === undefined || !request[other]) return;
  throw new Failure("usage", `--${one} and --${other} exclude each other`);
}
