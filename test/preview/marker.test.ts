import { describe, expect, it } from "vitest";
import { type Copy, markerOpening, markerText } from "../../src/preview/marker.ts";
import { markerBytes, markerLines } from "../../src/preview/shares.ts";

const uri = `tool-output://0123456789ab${"Z".repeat(14)}`;
const most = Number.MAX_SAFE_INTEGER;

describe("the marker", () => {
  it("promises the full content of a whole copy and says where to read on", () => {
    const facts = { bytes: 48_894, omitted: { bytes: 40_019, lines: 8004 }, headBytes: 3884, headEndsLine: true };
    expect(markerText({ ...facts, copy: { kind: "whole", uri } })).toBe(
      `\n... output truncated; full content available as ${uri} ...\n` +
        `... 8,004 lines (40,019 bytes) omitted; next: toolout read ${uri} --offset 3884 ...\n\n`,
    );
  });

  it.each<{ copy: Copy; says: string; leadsOn: boolean }>([
    { copy: { kind: "part", uri, keptBytes: 65_536 }, says: `65,536 of 70,000 bytes kept as ${uri}`, leadsOn: true },
    { copy: { kind: "part", uri, keptBytes: 9 }, says: `9 of 70,000 bytes kept as ${uri}`, leadsOn: false },
    {
      copy: { kind: "dropped", keptBytes: 65_536 },
      says: "65,536 of 70,000 bytes kept, see toolout list",
      leadsOn: false,
    },
    { copy: { kind: "none" }, says: "0 of 70,000 bytes kept", leadsOn: false },
  ])("says of a copy that is not whole: $says", ({ copy, says, leadsOn }) => {
    const text = markerText({
      copy,
      bytes: 70_000,
      omitted: { bytes: 1, lines: 1 },
      headBytes: 10,
      headEndsLine: true,
    });
    expect(text).toContain(`... output truncated; ${says} ...\n`);
    expect(text).not.toMatch(/full/);
    expect(text).toContain("... 1 line (1 byte) omitted");
    expect(text.includes("next: toolout read")).toBe(leadsOn);
  });

  it.each<Copy>([
    { kind: "whole", uri },
    { kind: "part", uri, keptBytes: most - 1 },
    { kind: "dropped", keptBytes: most },
    { kind: "none" },
  ])("fits what is set aside for it with the largest numbers: $kind", (copy) => {
    const omitted = { bytes: most, lines: most };
    const text = markerText({ copy, bytes: most, omitted, headBytes: most - 2, headEndsLine: false });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(markerBytes);
    expect(text.split("\n").length - 1).toBe(markerLines + 1); // the first one ends the head's unfinished line
    expect(text.startsWith(markerOpening(false))).toBe(true);
  });
});
