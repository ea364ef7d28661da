import { describe, expect, it } from "vitest";
import { tellsReceipt } from "../../src/process/group-witness.ts";

const bit = (signal: number) => 1n << BigInt(signal - 1);

describe("a witness of the group", () => {
  it.each([
    ["lives on", "SIGTERM", { state: "S", pending: 0n, deadOf: 0 }, false],
    ["is being ended", "SIGTERM", { state: "S", pending: bit(9) | bit(15), deadOf: 0 }, true],
    ["is being ended by another one", "SIGTERM", { state: "S", pending: bit(9) | bit(2), deadOf: 0 }, false],
    ["has it before it", "SIGQUIT", { state: "R", pending: bit(3), deadOf: 0 }, true],
    ["has another one before it", "SIGQUIT", { state: "R", pending: bit(10), deadOf: 0 }, false],
    ["is a zombie of it", "SIGTERM", { state: "Z", pending: 0n, deadOf: 15 }, true],
    ["is a zombie of another one", "SIGTERM", { state: "Z", pending: 0n, deadOf: 2 }, false],
    ["is gone by it", "SIGHUP", { state: "X", pending: 0n, deadOf: 1 }, true],
    ["is stopped", "SIGTSTP", { state: "T", pending: 0n, deadOf: 0 }, true],
    ["is not stopped", "SIGTSTP", { state: "S", pending: 0n, deadOf: 0 }, false],
    ["is about to stop", "SIGTSTP", { state: "R", pending: bit(20), deadOf: 0 }, true],
    ["goes on", "SIGCONT", { state: "S", pending: 0n, deadOf: 0 }, true],
    ["is still stopped", "SIGCONT", { state: "T", pending: 0n, deadOf: 0 }, false],
  ] as const)("that %s tells of %s", (_, signal, status, want) => {
    expect(tellsReceipt(status, signal)).toBe(want);
  });
});
