/**
 * What of a batch of results is given up so that the whole fits: nothing when it fits; else stubs in place of contents,
 * from the last result to the first, until it does; only then errors in place of stubs, in the same order. A result is
 * never dropped, and never replaced by what is not shorter.
 */
import { type Budget, measure } from "./budget.ts";

export interface Candidate {
  readonly content: string;
  readonly stub: string;
  /** What may stand for it when not even its stub has room, longest first. */
  readonly errors: readonly [...string[], string];
}

export interface Choice {
  readonly kind: "kept" | "stub" | "error";
  /** What stands in place of the content; the content itself when it is kept. */
  readonly text: string;
}

/** A choice for each candidate, in their order, the whole inside the budget; null where not even the errors fit. */
export function planFit(candidates: readonly Candidate[], { unit, limit }: Budget): Choice[] | null {
  const choices: Choice[] = candidates.map(({ content }) => ({ kind: "kept", text: content }));
  let total = choices.reduce((sum, { text }) => sum + measure(text, unit), 0);
  /** The change in size when `text` comes in place of what is there now. */
  const growth = (i: number, text: string) => measure(text, unit) - measure((choices[i] as Choice).text, unit);
  const take = (i: number, kind: Choice["kind"], text: string) => {
    total += growth(i, text);
    choices[i] = { kind, text };
  };
  const replaceFromLast = (kind: Choice["kind"], textOf: (candidate: Candidate) => string) => {
    for (let i = candidates.length - 1; i >= 0 && total > limit; i -= 1) {
      const text = textOf(candidates[i] as Candidate);
      if (growth(i, text) < 0) take(i, kind, text);
    }
  };
  replaceFromLast("stub", ({ stub }) => stub);
  const before = [...choices];
  replaceFromLast("error", ({ errors }) => errors.at(-1) as string);
  if (total > limit) return null;
  for (const [i, { kind }] of choices.entries()) {
    if (kind !== "error") continue;
    const replacedSize = measure((before[i] as Choice).text, unit);
    const fits = (text: string) => measure(text, unit) < replacedSize && total + growth(i, text) <= limit;
    const longest = (candidates[i] as Candidate).errors.find(fits);
    if (longest !== undefined) take(i, "error", longest);
  }
  return choices;
}
