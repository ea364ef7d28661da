import { Failure } from "../errors.ts";
import { randomBase62 } from "../store/id.ts";
import { quote } from "../text/quote.ts";

const wholeID = /^job-[0-9A-Za-z]{10}$/;

/** `job-` and 10 random base-62 characters (59 bits): short to type, and no ID of a stored output. */
export function createJobID(): string {
  return `job-${randomBase62(10)}`;
}

export function isJobID(text: string): boolean {
  return wholeID.test(text);
}

/**
 * The ID, taken as a whole: nothing else ever reaches a path.
 * @throws Failure "usage"
 */
export function parseJobID(text: string): string {
  if (isJobID(text)) return text;
  throw new Failure("usage", `not a job: ${quote(text)}`, {
    hint: "expected job- and 10 letters or digits; toolout jobs",
  });
}
