/**
 * Whose output it is. The record holds no session, only its HMAC under the output's id, so that reading records gives
 * no key to other outputs and does not show which of them belong together. node:crypto is loaded only where there is one.
 */
import type { Asker } from "./asker.ts";

/** 64 hex digits that stand for the session in the record of the output `id`; null when there is none. */
export function hashSession(session: string | undefined, id: string): string | null {
  return session ? crypto().createHmac("sha256", id).update(session).digest("hex") : null;
}

/** Whether the output was stored in the asker's session (none equals only none), or the asker may see all. */
export function isGivenTo(output: { readonly id: string; readonly sessionID: string | null }, asker: Asker): boolean {
  if (asker.anySession) return true;
  const asked = hashSession(asker.session, output.id);
  if (asked === null || output.sessionID === null) return asked === output.sessionID;
  const [stored, given] = [Buffer.from(output.sessionID), Buffer.from(asked)];
  return stored.length === given.length && crypto().timingSafeEqual(stored, given);
}

function crypto() {
  return process.getBuiltinModule("node:crypto");
}
