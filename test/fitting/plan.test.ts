import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measure } from "../../src/fitting/budget.ts";
import { type Candidate, planFit } from "../../src/fitting/plan.ts";
import { endsOf, endUnits, errorTexts, stubText } from "../../src/fitting/stub.ts";

const contents = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.integer({ min: 1000, max: 9000 }).map((length) => "a line of text\n".repeat(length / 15)),
  fc.string({ unit: "grapheme", minLength: 20, maxLength: 60 }).map((text) => text.repeat(90)),
);

/** Candidates as fit makes them, of contents that are stored nowhere or by a command. */
const candidates = fc.array(
  fc.record({ content: contents, isStored: fc.boolean() }).map(({ content, isStored }): Candidate => {
    const bytes = Buffer.from(content.toWellFormed());
    const copy = { kind: "whole", uri: `tool-output://${"0".repeat(26)}` } as const;
    const facts = { ends: endsOf(bytes), copy, bytes: bytes.length, lines: 1, wholeBytes: bytes.length, offset: 0 };
    const errors = errorTexts(bytes.length, isStored ? copy : null);
    return { content: content.toWellFormed(), stub: stubText(facts), errors };
  }),
  { maxLength: 12 },
);
const budgets = fc.record({
  unit: fc.constantFrom("characters" as const, "bytes" as const),
  limit: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 40_000 })),
});

describe("planFit", () => {
  it("is inside the budget and loses no result, or is none because nothing shorter is left", () => {
    fc.assert(
      fc.property(candidates, budgets, (all, budget) => {
        const size = (text: string) => measure(text, budget.unit);
        const plan = planFit(all, budget);
        const shortest = all.map(({ content, stub, errors }) => Math.min(...[content, stub, ...errors].map(size)));
        const least = shortest.reduce((sum, one) => sum + one, 0);
        expect(plan === null).toBe(least > budget.limit);
        if (plan === null) return;
        expect(plan.length).toBe(all.length);
        expect(plan.reduce((sum, { text }) => sum + size(text), 0)).toBeLessThanOrEqual(budget.limit);
        for (const [i, { kind, text }] of plan.entries()) {
          const { content, stub, errors } = all[i] as Candidate;
          expect({ kept: [content], stub: [stub], error: errors }[kind]).toContain(text);
          expect(kind === "kept" || size(text) < size(content)).toBe(true);
        }
      }),
    );
  });

  it("changes nothing that fits, so that fitting twice is fitting once", () => {
    fc.assert(
      fc.property(candidates, budgets, (all, budget) => {
        const plan = planFit(all, budget);
        if (plan === null) return;
        const again = planFit(
          all.map((one, i) => ({ ...one, content: plan[i]?.text ?? "" })),
          budget,
        );
        expect(again?.map(({ text }) => text)).toEqual(plan.map(({ text }) => text));
        expect(again?.every(({ kind }) => kind === "kept")).toBe(true);
      }),
    );
  });

  it("gives up from the last to the first, and no more than it must", () => {
    const all = ["a", "b", "c"].map((text) => ({
      content: text.repeat(1000),
      stub: text.repeat(100),
      errors: ["12345", "1"],
    }));
    const kinds = (limit: number) =>
      planFit(all as unknown as Candidate[], { unit: "characters", limit })?.map(({ text }) => text.length);
    expect(kinds(3000)).toEqual([1000, 1000, 1000]);
    expect(kinds(2999)).toEqual([1000, 1000, 100]);
    expect(kinds(2099)).toEqual([1000, 100, 100]);
    expect(kinds(300)).toEqual([100, 100, 100]);
    expect(kinds(299)).toEqual([100, 100, 5]);
    expect(kinds(204)).toEqual([100, 100, 1]);
    expect(kinds(110)).toEqual([100, 5, 5]);
    expect(kinds(106)).toEqual([100, 5, 1]);
    expect(kinds(3)).toEqual([1, 1, 1]);
    expect(kinds(2)).toBeUndefined();
  });
});

describe("a stub", () => {
  it("shows both ends, of 1,024 units each at most, that are of the text and do not overlap", () => {
    fc.assert(
      fc.property(contents, (text) => {
        const content = text.toWellFormed();
        const { head, tail } = endsOf(Buffer.from(content));
        expect(content.startsWith(head.toString())).toBe(true);
        expect(content.endsWith(tail.toString())).toBe(true);
        expect(head.length + tail.length).toBeLessThanOrEqual(Buffer.byteLength(content));
        for (const end of [head, tail]) {
          expect(end.toString().length).toBeLessThanOrEqual(endUnits);
          expect(Buffer.from(end.toString()).equals(end)).toBe(true);
        }
      }),
    );
  });

  it("promises the full content only of a whole copy", () => {
    const facts = {
      ends: endsOf(Buffer.from("x".repeat(5000))),
      bytes: 5000,
      lines: 1,
      wholeBytes: 5000,
      offset: 1024,
    };
    const uri = "tool-output://ID";
    const middle = (copy: Parameters<typeof stubText>[0]["copy"], wholeBytes = 5000) =>
      stubText({ ...facts, copy, wholeBytes }).slice(1024, -1024);
    expect(middle({ kind: "whole", uri })).toBe(`

... output truncated; full content available as ${uri} ...
... 1 line (5,000 bytes) in all; next: toolout read ${uri} --offset 1024 ...

`);
    expect(middle({ kind: "part", uri, keptBytes: 5000 }, 9000)).toBe(`

... output truncated; 5,000 of 9,000 bytes kept as ${uri} ...
... 1 line (5,000 bytes) in this part; next: toolout read ${uri} --offset 1024 ...

`);
    expect(middle({ kind: "none" })).toBe(`

... output truncated; 0 of 5,000 bytes kept ...
... 1 line (5,000 bytes) in all ...

`);
  });
});
