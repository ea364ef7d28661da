import { expect, it } from "vitest";
import { createJobID, isJobID, parseJobID } from "../../src/jobs/id.ts";
import { isReference, looksLikePrefix } from "../../src/store/reference.ts";

it("an ID of a job is parsed, new each time, and no reference to a stored output", () => {
  const ids = Array.from({ length: 1000 }, createJobID);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(parseJobID(id)).toBe(id);
    expect(isReference(id) || looksLikePrefix(id)).toBe(false);
  }
});

it.each([
  "",
  "job-",
  "job-123456789",
  "job-12345678901",
  "job-123456789/",
  "../job-1234567890",
  "job-1234567890\n",
  "last",
])("%j is none", (text) => {
  expect(isJobID(text)).toBe(false);
  expect(() => parseJobID(text)).toThrow(/^not a job: /);
});
