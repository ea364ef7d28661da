import { Failure } from "../errors.ts";
import { formatCount, parseInteger, parseSize } from "../text/quantity.ts";
import { quote } from "../text/quote.ts";

/** What is left for the contents of a batch of results, taken together. */
export interface Budget {
  /** UTF-16 code units, or bytes of UTF-8. */
  readonly unit: "characters" | "bytes";
  /** 1 - 1,073,741,824 of them. */
  readonly limit: number;
}

const most = 1024 ** 3;

/** How much of the budget a text takes: the text alone, before JSON escapes it. */
export function measure(text: string, unit: Budget["unit"]): number {
  return unit === "characters" ? text.length : Buffer.byteLength(text);
}

/**
 * The budget from the texts of --budget-chars and --budget-bytes, of which one must be given.
 * @throws Failure "usage" that names the option and its value
 */
export function parseBudget(chars: string | undefined, bytes: string | undefined): Budget {
  if (chars !== undefined && bytes !== undefined) {
    throw new Failure("usage", "--budget-chars and --budget-bytes exclude each other");
  }
  if (chars !== undefined) return budgetOf("characters", parseInteger(chars), "--budget-chars", chars);
  if (bytes !== undefined) return budgetOf("bytes", parseSize(bytes), "--budget-bytes", bytes);
  throw new Failure("usage", "no budget is given", { hint: "toolout fit --budget-chars 60000, or --budget-bytes" });
}

function budgetOf(unit: Budget["unit"], limit: number | undefined, option: string, said: string): Budget {
  if (limit !== undefined && isBudgetLimit(limit)) return { unit, limit };
  const kind = unit === "bytes" ? "a size such as 50KiB in 1 - 1GiB" : `a whole number in 1 - ${formatCount(most)}`;
  throw new Failure("usage", `${option} must be ${kind}, not ${quote(said)}`);
}

export function isBudgetLimit(limit: number): boolean {
  return Number.isSafeInteger(limit) && limit >= 1 && limit <= most;
}
