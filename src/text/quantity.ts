/**
 * Whole numbers, sizes and durations as people write them. The parsers are strict, since lenient ones hide mistakes
 * (`bytes` reads "1M" as 1), and the formatters are their exact inverses: parse(format(x)) is x.
 */

/** A whole number of decimal digits, up to Number.MAX_SAFE_INTEGER; undefined for anything else. */
export function parseInteger(text: string): number | undefined {
  return /^\d+$/.test(text) ? safe(Number(text)) : undefined;
}

/** A size in bytes: `51200`, `64k`, `50KiB`, `2G` (K = 1024, any case); undefined for anything else. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+)(?:([KMGT])(?:i?B)?)?$/i.exec(text);
  if (!match) return undefined;
  const power = match[2] === undefined ? 0 : "KMGT".indexOf(match[2].toUpperCase()) + 1;
  return safe(Number(match[1]) * 1024 ** power);
}

/** A duration in milliseconds: `500ms`, `90s`, `1h30m`, `7d`, larger units first; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(text);
  if (!match || text === "") return undefined;
  return safe(durationUnits.reduce((sum, [, unitMs], i) => sum + Number(match[i + 1] ?? 0) * unitMs, 0));
}

/** Bytes in the largest unit that holds them exactly: 51200 is `50KiB`, 51201 is `51201`. */
export function formatSize(bytes: number): string {
  let power = 0;
  let count = bytes;
  while (power < 4 && count > 0 && count % 1024 === 0) {
    count /= 1024;
    power += 1;
  }
  return power === 0 ? String(count) : `${count}${"KMGT"[power - 1]}iB`;
}

/** Milliseconds as `1h30m`, `7d`, `500ms`; 0 is `0s`. */
export function formatDuration(ms: number): string {
  let left = ms;
  let text = "";
  for (const [unit, unitMs] of durationUnits) {
    const count = Math.floor(left / unitMs);
    if (count > 0) text += `${count}${unit}`;
    left -= count * unitMs;
  }
  return text || "0s";
}

/** A whole number with a comma between thousands, whatever the locale: `8,004`. */
export function formatCount(count: number): string {
  const digits = String(count);
  return digits.length < 4 ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, ",");
}

const durationUnits = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
] as const;

function safe(value: number): number | undefined {
  return Number.isSafeInteger(value) ? value : undefined;
}
