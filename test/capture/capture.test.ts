import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Capture } from "../../src/capture/capture.ts";
import { LiveHead } from "../../src/preview/live-head.ts";
import { planPreview } from "../../src/preview/plan.ts";
import { divide, type PreviewLimits } from "../../src/preview/shares.ts";
import { chunkSizes, cutUp, outputs, previewLimits } from "../arbitraries.ts";
import { referencePreview, splitLines, units } from "../reference-preview.ts";

/** Captures the output from one reused buffer, as the real reader does. */
function capture(output: Buffer, sizes: readonly number[], limits: PreviewLimits) {
  const spilled: Buffer[] = [];
  const printed: number[] = [];
  const live = new LiveHead(divide(limits));
  const taken = new Capture(limits, (bytes) => spilled.push(Buffer.from(bytes)));
  const reused = Buffer.alloc(Math.max(...sizes));
  for (const chunk of cutUp(output, sizes)) {
    chunk.copy(reused);
    taken.write(reused.subarray(0, chunk.length));
    reused.fill(0x3f);
    if (!taken.isOver) printed.push(live.printable(taken.prefix));
  }
  const captured = taken.end();
  return { captured, isOver: taken.isOver, spilled: Buffer.concat(spilled), printed };
}

describe("a captured output", () => {
  it("has the preview that its bytes ask for, however it was cut into chunks", () => {
    fc.assert(
      fc.property(outputs, previewLimits, chunkSizes, (output, limits, sizes) => {
        const { captured, isOver, spilled } = capture(output, sizes, limits);
        const want = referencePreview(output, limits);
        const plan = planPreview(captured, limits);
        expect(plan.omitted === null).toBe(want.isWhole);
        expect(isOver).toBe(!want.isWhole);
        expect(plan.head.toString("latin1")).toBe(want.head.toString("latin1"));
        expect(plan.tail.toString("latin1")).toBe(want.tail.toString("latin1"));
        expect(spilled.toString("latin1")).toBe(want.isWhole ? "" : output.toString("latin1"));
      }),
      { numRuns: 6000 },
    );
  });

  it("counts its bytes and lines, and of both what is omitted, exactly", () => {
    fc.assert(
      fc.property(outputs, previewLimits, chunkSizes, (output, limits, sizes) => {
        const { captured } = capture(output, sizes, limits);
        const { head, tail, omitted } = planPreview(captured, limits);
        const lines = splitLines(output);
        expect(captured.bytes).toBe(output.length);
        expect(captured.lines).toBe(lines.length);
        if (omitted === null) return;
        expect(head.length + tail.length + omitted.bytes).toBe(output.length);
        const tailStart = output.length - tail.length;
        let end = 0;
        const touched = lines.filter((line) => {
          end += line.length;
          return end > head.length && end - line.length < tailStart;
        });
        expect(omitted.lines).toBe(touched.length);
        expect(omitted.bytes).toBeGreaterThan(0);
      }),
      { numRuns: 4000 },
    );
  });

  it("never has more printed early than its head turns out to be, and never takes it back", () => {
    fc.assert(
      fc.property(outputs, previewLimits, chunkSizes, (output, limits, sizes) => {
        const { captured, printed } = capture(output, sizes, limits);
        const { head } = planPreview(captured, limits);
        for (const [i, end] of printed.entries()) {
          expect(end).toBeLessThanOrEqual(head.length);
          expect(end).toBeGreaterThanOrEqual(printed[i - 1] ?? 0);
        }
      }),
      { numRuns: 6000 },
    );
  });

  it("is cut at line ends unless more than half of what fits would go, and never inside a character or a CRLF", () => {
    fc.assert(
      fc.property(outputs, previewLimits, (output, limits) => {
        const { head, tail, omitted } = planPreview(capture(output, [output.length || 1], limits).captured, limits);
        if (omitted === null) return;
        const cuts = [head.length, output.length - tail.length];
        for (const at of cuts) {
          expect(output[at - 1] === 0x0d && output[at] === 0x0a).toBe(false);
          const [before, after] = [output.subarray(0, at), output.subarray(at)];
          if (Buffer.from(output.toString()).equals(output)) {
            expect(before.toString() + after.toString()).toBe(output.toString());
          }
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("is over a limit in characters when its unfinished last character counts as one", () => {
    const limits = { maxLines: 100, maxBytes: 5000, maxUnits: 1000, headPercent: 50 };
    const { isOver, spilled } = capture(
      Buffer.concat([Buffer.alloc(1000, "a"), Buffer.from([0xe2, 0x82])]),
      [7],
      limits,
    );
    expect(isOver).toBe(true);
    expect(spilled.length).toBe(1002);
    expect(units(spilled)).toBe(1001);
  });
});
