import { codePoint } from "./visible.ts";

/** A value as a message shows it: JSON on one line, at most 60 characters, nothing a terminal would obey. */
export function quote(value: unknown): string {
  const text = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, codePoint);
  const characters = Array.from(plain);
  return characters.length <= 60 ? plain : `${characters.slice(0, 59).join("")}…`;
}
