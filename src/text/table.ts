import type { Limits } from "../limits.ts";

/** Rows as lines with their columns aligned, two blanks between; columns named in `right` are aligned to the right. */
export function alignColumns(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, i) => pad(cell, widths[i] ?? 0, right.includes(i)))
      .join("  ")
      .trimEnd(),
  );
}

/** The first of the lines that, each with its line feed, stay inside `maxLines` and `maxBytes`. */
export function linesWithin(lines: readonly string[], limits: Pick<Limits, "maxLines" | "maxBytes">): string[] {
  let bytes = 0;
  const end = lines.findIndex((line, i) => {
    bytes += Buffer.byteLength(line) + 1;
    return i >= limits.maxLines || bytes > limits.maxBytes;
  });
  return end === -1 ? [...lines] : lines.slice(0, end);
}

function pad(cell: string, width: number, toTheRight: boolean): string {
  return toTheRight ? cell.padStart(width) : cell.padEnd(width);
}
