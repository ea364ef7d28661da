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
}

/** The same, understood. `line`, `lines` and `tail` are 1 or more, `offset` 0 or more; at most one says where to begin. */
export interface PagePlan {
  readonly offset: number | undefined;
  readonly line: number | undefined;
  readonly tail: number | undefined;
  readonly lines: number | undefined;
  readonly limitBytes: number | undefined;
}

/** @throws Failure "usage" that names the option and its value. */
export function planPage(request: PageRequest): PagePlan {
  refuseBoth(request, "offset", "line");
  refuseBoth(request, "offset", "tail");
  refuseBoth(request, "line", "tail");
  refuseBoth(request, "lines", "tail");
  const { limit } = request;
  return {
    offset: parseWhole("--offset", request.offset, 0),
    line: parseWhole("--line", request.line, 1),
    tail: parseWhole("--tail", request.tail, 1),
    lines: parseWhole("--lines", request.lines, 1),
    limitBytes: limit === undefined ? undefined : (parseLimit("readBytes", limit, "--limit") as Limits["readBytes"]),
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

function refuseBoth(request: PageRequest, one: keyof PageRequest, other: keyof PageRequest): void {
  if (request[one] === undefined || request[other] === undefined) return;
  throw new Failure("usage", `--${one} and --${other} exclude each other`);
}
