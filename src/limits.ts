/** Every limit of toolout, made whole once at the edge; sizes in bytes, `retention` in milliseconds, `…Chars` in UTF-16 code units. */
export interface Limits {
  readonly maxLines: number;
  readonly maxBytes: number;
  readonly runChars: number | undefined;
  readonly pipeChars: number | undefined;
  readonly readChars: number | undefined;
  readonly headPercent: number;
  readonly captureBytes: number;
  readonly overflow: Overflow;
  readonly storeBytes: number;
  readonly quotaBytes: number;
  readonly readBytes: number;
  readonly lineChars: number;
  readonly retention: number;
}

export type Overflow = "store" | "drop" | "reject";

export type LimitKey = keyof Limits;
