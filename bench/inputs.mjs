/** What is measured on, made on the spot: nothing of it depends on chance. */
import { closeSync, openSync, writeSync } from "node:fs";

const blockBytes = 1024 * 1024;

/** Name of an input -> a block of it, which is repeated. */
export const inputs = {
  /** Lines of mixed length, as logs have them. */
  log: () =>
    Array.from(
      { length: 9000 },
      (_, i) => `2026-01-01T00:${pad(i % 60)} worker ${i % 7} INFO request ${i}: ${"x".repeat((i * 37) % 160)}\n`,
    ).join(""),
  /** `yes`: lines of one byte. */
  yes: () => "y\n".repeat(blockBytes / 2),
  /** One line without an end. */
  line: () => "x".repeat(blockBytes),
  zeros: () => "\0".repeat(blockBytes),
  utf8: () => "žluťoučký kůň 日本語 🐎\n".repeat(20_000),
};

/** Writes `bytes` bytes of an input to a file. */
export function writeInput(name, bytes, file) {
  const block = Buffer.from(inputs[name]());
  const fd = openSync(file, "w");
  for (let left = bytes; left > 0; ) left -= writeSync(fd, block, 0, Math.min(block.length, left));
  closeSync(fd);
}

function pad(number) {
  return String(number).padStart(2, "0");
}
