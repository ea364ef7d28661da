import { describe, expect, test } from "vitest";
import { askerOf } from "../../src/store/asker.ts";
import { createID } from "../../src/store/id.ts";
import { hashSession, isGivenTo } from "../../src/store/session.ts";

describe("the asker", () => {
  test.each([
    { request: {}, env: {}, session: undefined },
    { request: {}, env: { TOOLOUT_SESSION: "" }, session: undefined },
    { request: {}, env: { TOOLOUT_SESSION: "a" }, session: "a" },
    { request: { session: "b" }, env: { TOOLOUT_SESSION: "a" }, session: "b" },
    { request: { session: "" }, env: { TOOLOUT_SESSION: "a" }, session: undefined },
  ])("of $request in $env is of session $session", ({ request, env, session }) => {
    expect(askerOf(request, env)).toEqual({ session, anySession: false });
  });
});

describe("an output", () => {
  const id = createID(0);
  const output = (session: string | undefined) => ({ id, sessionID: hashSession(session, id) });

  test.each([
    { of: "a", to: "a", given: true },
    { of: "a", to: "b", given: false },
    { of: "a", to: "A", given: false },
    { of: "a", to: undefined, given: false },
    { of: undefined, to: "a", given: false },
    { of: undefined, to: undefined, given: true },
  ])("of session $of is given to $to: $given", ({ of, to, given }) => {
    expect(isGivenTo(output(of), { session: to, anySession: false })).toBe(given);
    expect(isGivenTo(output(of), { session: to, anySession: true })).toBe(true);
  });

  test("holds no session, and the same one in two outputs does not look the same", () => {
    expect(hashSession("secret", id)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashSession("secret", id)).not.toBe(hashSession("secret", createID(0)));
  });

  test("is not given to one who shows the hash out of its record", () => {
    const { sessionID } = output("secret");
    expect(isGivenTo(output("secret"), { session: sessionID ?? "", anySession: false })).toBe(false);
  });
});
