/**
 * Makes a batch of results fit a budget. What the plan cuts is stored first, unless the result has a stored output that
 * can be had; a store that keeps less than was hoped for changes the stub, and so the plan is made again with what is known.
 */
import { setImmediate as otherTurn } from "node:timers/promises";
import { Failure } from "../errors.ts";
import type { ToolResult } from "../fitting/batch.ts";
import { type Budget, measure } from "../fitting/budget.ts";
import { type Choice, planFit } from "../fitting/plan.ts";
import { formatCount } from "../text/quantity.ts";
import { type FitStore, FittingResult } from "./fitting-result.ts";
import type { MadeOutputs } from "./made-outputs.ts";

export interface Fitted {
  /** As many as there were, in their order. */
  readonly results: readonly ToolResult[];
  readonly outcomes: ReadonlyArray<Choice["kind"]>;
  /** What the contents took of the budget before, and take now. */
  readonly before: number;
  readonly after: number;
}

/**
 * The results with contents that are inside the budget all together; unchanged when they were.
 * @param made Gets what is stored for them; when this throws, it is empty again.
 * @throws Failure "too-large" when not even the shortest errors fit
 */
export async function fitResults(
  results: readonly ToolResult[],
  budget: Budget,
  store: FitStore,
  made: MadeOutputs,
): Promise<Fitted> {
  const before = sizeOf(results, budget);
  if (before <= budget.limit) return { results, outcomes: results.map(() => "kept"), before, after: before };
  const items: FittingResult[] = [];
  for (const [i, result] of results.entries()) items.push(await FittingResult.of(result, `[${i}]`, store));
  for (;;) {
    const choices = planFit(items, budget);
    if (choices === null) {
      made.removeAll();
      throw new Failure("too-large", `not even errors for ${formatCount(results.length)} results fit ${tell(budget)}`);
    }
    const unstored = items.filter((item, i) => choices[i]?.kind === "stub" && item.isToBeStored);
    for (const item of unstored) {
      await otherTurn(); // a signal may have come
      await item.store(made);
    }
    if (unstored.length > 0) continue;
    for (const [i, item] of items.entries()) if (choices[i]?.kind !== "stub") item.giveUp(made);
    const fitted = items.map((item, i) => item.as(choices[i] as Choice));
    return { results: fitted, outcomes: choices.map(({ kind }) => kind), before, after: sizeOf(fitted, budget) };
  }
}

function sizeOf(results: readonly ToolResult[], { unit }: Budget): number {
  return results.reduce((sum, { content }) => sum + measure(content, unit), 0);
}

function tell({ unit, limit }: Budget): string {
  return `${formatCount(limit)} ${limit === 1 ? unit.slice(0, -1) : unit}`;
}
