/** Quantities as a person takes them in at a glance: rounded, with the unit that suits. */
import { formatDuration } from "./quantity.ts";

const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Bytes to three digits: `999 B`, `1.2 KiB`, `48 KiB`, `3.4 GiB`. */
export function roundSize(bytes: number): string {
  let [count, power] = [bytes, 0];
  while (count >= 999.5 && power < units.length - 1) {
    count /= 1024;
    power += 1;
  }
  const digits = power > 0 && count < 9.95 ? count.toFixed(1) : String(Math.round(count));
  return `${digits} ${units[power]}`;
}

/** A time that has passed in its largest unit: `6d`, `3h`, `5m`, `0s`; one that is still to come is `0s`. */
export function roundAge(ageMs: number): string {
  const unitMs = [86_400_000, 3_600_000, 60_000].find((unit) => ageMs >= unit) ?? 1000;
  return formatDuration(Math.max(0, Math.floor(ageMs / unitMs) * unitMs));
}
