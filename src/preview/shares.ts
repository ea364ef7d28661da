/** What one preview may show; `maxUnits` counts UTF-16 code units, for callers whose model does. */
export interface PreviewLimits {
  /** Lines printed, marker included (1 – 1,000,000). */
  readonly maxLines: number;
  /** Bytes printed, marker included (1,024 – 64 MiB). */
  readonly maxBytes: number;
  readonly maxUnits: number | undefined;
  /** The head's share, 0 – 100. */
  readonly headPercent: number;
}

/** How a preview divides what the marker leaves: the head's part is fixed, the tail gets what the head did not use. */
export interface Shares {
  readonly headLines: number;
  readonly tailLines: number;
  readonly headBytes: number;
  readonly bodyBytes: number;
  readonly headUnits: number;
  readonly bodyUnits: number;
}

/** The marker's own lines: a blank one, two of text, a blank one. */
export const markerLines = 4;

/** Bytes set aside for the marker, enough for its longest text with every number at Number.MAX_SAFE_INTEGER. */
export const markerBytes = 300;

export function divide(limits: PreviewLimits): Shares {
  const lines = Math.max(1, limits.maxLines - markerLines);
  const headLines = Math.ceil((lines * limits.headPercent) / 100);
  const bodyBytes = Math.max(0, limits.maxBytes - markerBytes);
  const bodyUnits =
    limits.maxUnits === undefined ? Number.POSITIVE_INFINITY : Math.max(0, limits.maxUnits - markerBytes);
  return {
    headLines,
    tailLines: lines - headLines,
    bodyBytes,
    headBytes: Math.floor((bodyBytes * limits.headPercent) / 100),
    bodyUnits,
    headUnits: limits.headPercent === 0 ? 0 : Math.floor((bodyUnits * limits.headPercent) / 100),
  };
}
