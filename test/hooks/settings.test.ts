import { describe, expect, it } from "vitest";
import { agents } from "../../src/hooks/agents.ts";
import { withSettings } from "../../src/hooks/settings.ts";

const wanted = agents["claude-code"].settings;
const entry = wanted.hooks.PreToolUse[0];

describe("withSettings", () => {
  it("adds what is missing beside what is there", () => {
    expect(withSettings({}, wanted)).toEqual(wanted);
    const other = { matcher: "Edit", hooks: [{ type: "command", command: "lint" }] };
    const before = { model: "x", hooks: { Stop: [], PreToolUse: [other] } };
    expect(withSettings(before, wanted)).toEqual({ model: "x", hooks: { Stop: [], PreToolUse: [other, entry] } });
  });

  it("gives back the same object when all is there, with options of the user's too", () => {
    const own = { matcher: "Bash", hooks: [{ type: "command", command: "toolout hook claude-code --allow" }] };
    const before = { hooks: { PreToolUse: [own] } };
    expect(withSettings(before, wanted)).toBe(before);
    const versioned = { version: 2, hooks: { preToolUse: agents.cursor.settings.hooks.preToolUse } };
    expect(withSettings(versioned, agents.cursor.settings)).toBe(versioned);
  });

  it.each([
    [{ hooks: [] }, "hooks is not an object"],
    [{ hooks: { PreToolUse: {} } }, "hooks.PreToolUse is not an array"],
    [{ hooks: null }, "hooks is not an object"],
  ])("refuses %j", (before, message) => {
    expect(() => withSettings(before, wanted)).toThrow(message);
  });
});
