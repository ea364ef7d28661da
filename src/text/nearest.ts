/** The word that a mistyped one most likely meant (`max-lines`, `maxline` → `maxLines`), undefined when none is near. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({ word, edits: edits(plain(typed), plain(word)) }))
    .filter((candidate) => candidate.edits * 3 <= candidate.word.length)
    .sort((a, b) => a.edits - b.edits);
  return best?.word;
}

function plain(word: string): string {
  return word.slice(0, 64).toLowerCase().replace(/[-_]/g, "");
}

/** Levenshtein's distance, one row of his table at a time. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const swap = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
