import type { Limits } from "../limits.ts";
import { formatCount } from "../text/quantity.ts";

export type Redaction = typeof import("../redaction/masker.ts");

/** What masks secrets, loaded only where it is asked for; null elsewhere. */
export async function loadRedaction({ redact }: Pick<Limits, "redact">): Promise<Redaction | null> {
  return redact ? import("../redaction/masker.ts") : null;
}

/** What is said of so many masked secrets; none when there are none. */
export function redactionNotices(count: number): string[] {
  return count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? "secret" : "secrets"} masked`];
}
