import fc from "fast-check";
import { expect, test } from "vitest";
import { type FoundOutput, graceMs, planSweep, type SweepRules } from "../../src/store/sweep-plan.ts";

const now = 1_800_000_000_000;
const hour = 3_600_000;
const rules: SweepRules = { nowMs: now, retentionMs: 7 * 24 * hour, quotaBytes: 1000 };

function output(id: string, ageMs: number, more: Partial<FoundOutput> & { bytes?: number } = {}): FoundOutput {
  const { bytes = 10, ...facts } = more;
  const files = [
    { name: `${id}.json`, bytes: 0, modifiedMs: now - ageMs - 5 },
    { name: `${id}.txt`, bytes, modifiedMs: now - ageMs },
  ];
  return { id, files, hasRecord: true, isSound: true, hasLiveWriter: false, ...facts };
}

const reasons = (found: FoundOutput[], changed: Partial<SweepRules> = {}) =>
  planSweep(found, { ...rules, ...changed }).removals.map(({ id, reason }) => `${id} ${reason}`);

test.each([
  { name: "a young pair stays", found: output("a", hour), reason: [] },
  { name: "a pair as old as the retention stays", found: output("a", 7 * 24 * hour), reason: [] },
  { name: "an older one goes", found: output("a", 7 * 24 * hour + 1), reason: ["a expired"] },
  {
    name: "an old one whose writer lives goes",
    found: output("a", 1e12, { hasLiveWriter: true }),
    reason: ["a expired"],
  },
  { name: "a pair in the future stays", found: output("a", -1e12), reason: [] },
  { name: "a young mismatch stays", found: output("a", graceMs, { isSound: false }), reason: [] },
  { name: "an older mismatch goes", found: output("a", graceMs + 1, { isSound: false }), reason: ["a mismatched"] },
  { name: "a mismatch in the future stays", found: output("a", -hour, { isSound: false }), reason: [] },
  { name: "a young orphan stays", found: output("a", graceMs, { hasRecord: false }), reason: [] },
  { name: "an older orphan goes", found: output("a", graceMs + 1, { hasRecord: false }), reason: ["a orphan"] },
  {
    name: "an orphan whose writer lives stays, however old",
    found: output("a", 1e12, { hasRecord: false, hasLiveWriter: true }),
    reason: [],
  },
])("$name", ({ found, reason }) => {
  expect(reasons([found])).toEqual(reason);
});

test("the oldest over the quota go, and what fits exactly stays", () => {
  const found = [output("a", 3, { bytes: 400 }), output("b", 1, { bytes: 600 }), output("c", 2, { bytes: 400 })];
  expect(planSweep(found, rules)).toEqual({
    removals: [{ id: "a", uri: "tool-output://a", reason: "quota", bytes: 400, names: ["a.json", "a.txt"] }],
    kept: { count: 2, bytes: 1000 },
    hasClockJumped: false,
  });
  expect(reasons(found, { quotaBytes: 999 })).toEqual(["a quota", "c quota"]);
});

test("the newest stays, also when it is larger than the quota", () => {
  const found = [output("old", 2, { bytes: 1 }), output("new", 1, { bytes: 5000 })];
  expect(reasons(found)).toEqual(["old quota"]);
});

test("what is dated in the future takes no room and is no newest one", () => {
  const found = [output("new", 1, { bytes: 5000 }), output("future", -hour, { bytes: 5000 })];
  expect(planSweep(found, rules)).toEqual({ removals: [], kept: { count: 2, bytes: 10_000 }, hasClockJumped: false });
});

test.each([
  { what: "an hour back", lastMs: now + hour, hasClockJumped: false },
  { what: "more than an hour back", lastMs: now + hour + 1, hasClockJumped: true },
  { what: "100 days on", lastMs: now - 100 * 24 * hour, hasClockJumped: false },
  { what: "more than 100 days on", lastMs: now - 100 * 24 * hour - 1, hasClockJumped: true },
])("a clock that went $what has jumped: $hasClockJumped; then nothing goes", ({ lastMs, hasClockJumped }) => {
  const found = [
    output("expired", 1e11),
    output("orphan", 1e11, { hasRecord: false }),
    output("quota", 1, { bytes: 9999 }),
  ];
  const plan = planSweep(found, { ...rules, lastMs });
  expect(plan.hasClockJumped).toBe(hasClockJumped);
  expect(plan.removals.map(({ id }) => id)).toEqual(hasClockJumped ? [] : ["expired", "orphan"]);
  if (hasClockJumped) expect(plan.kept).toEqual({ count: 2, bytes: 10_009 });
});

test("no older output slips into a gap that a removed one leaves", () => {
  const found = [output("old", 3, { bytes: 1 }), output("large", 2, { bytes: 900 }), output("new", 1, { bytes: 200 })];
  expect(reasons(found)).toEqual(["old quota", "large quota"]);
});

test("payloads without a record are not counted as stored", () => {
  const found = [output("a", 2), output("b", 1, { bytes: 5000, hasRecord: false })];
  expect(planSweep(found, rules)).toMatchObject({ removals: [], kept: { count: 1, bytes: 10 } });
});

const outputs = fc
  .array(
    fc.record({
      ageMs: fc.integer({ min: -2 * hour, max: 10 * 24 * hour }),
      bytes: fc.nat(500),
      hasRecord: fc.boolean(),
      isSound: fc.boolean(),
      hasLiveWriter: fc.boolean(),
    }),
    { maxLength: 20 },
  )
  .map((all) => all.map(({ ageMs, ...facts }, i) => ({ ageMs, ...output(`id${i}`, ageMs, facts) })));

test("whatever lies there, the plan keeps to its rules", () => {
  fc.assert(
    fc.property(outputs, fc.nat(5000), (found, quotaBytes) => {
      const plan = planSweep(found, { ...rules, quotaBytes });
      const gone = new Map(plan.removals.map((removal) => [removal.id, removal.reason]));
      const stays = found.filter(({ id }) => !gone.has(id));
      const bytesOf = (some: typeof found) => some.reduce((sum, { files }) => sum + (files[1]?.bytes ?? 0), 0);
      const stored = stays.filter(({ hasRecord }) => hasRecord);
      expect(plan.kept).toEqual({ count: stored.length, bytes: bytesOf(stored) });
      expect(gone.size).toBe(plan.removals.length);
      const present = stored.filter(({ ageMs }) => ageMs >= 0);
      expect(present.length <= 1 || bytesOf(present) <= quotaBytes).toBe(true);
      const sound = found.filter(
        (one) => one.hasRecord && one.isSound && one.ageMs >= 0 && one.ageMs <= rules.retentionMs,
      );
      expect(sound.length === 0 || present.length > 0).toBe(true);
      expect(stays.some(({ hasRecord, ageMs }) => hasRecord && ageMs > rules.retentionMs)).toBe(false);
      for (const { id, ageMs, hasRecord, hasLiveWriter } of found) {
        if (ageMs < 0 || (!hasRecord && (hasLiveWriter || ageMs <= graceMs))) expect(gone.has(id)).toBe(false);
      }
      const oldestKept = Math.max(...present.map(({ ageMs }) => ageMs));
      const youngestOver = Math.min(...found.filter(({ id }) => gone.get(id) === "quota").map(({ ageMs }) => ageMs));
      expect(oldestKept <= youngestOver).toBe(true);
    }),
    { numRuns: 5000 },
  );
});
