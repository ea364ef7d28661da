/**
 * Whose output it is. The record holds no session, only its HMAC under the output's id, so that reading records gives
 * no key to other outputs and does not show which of them belong together.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Environment } from "../io.ts";

export interface Asker {
  readonly session: string | undefined;
  /** The owner of the store, who may see the outputs of all sessions. */
  readonly anySession: boolean;
}

/** Who asks: the flag, else TOOLOUT_SESSION; an empty session is none. */
export function askerOf(
  request: { readonly session?: string | undefined; readonly anySession?: boolean | undefined },
  env: Environment,
): Asker {
  const { TOOLOUT_SESSION } = env;
  const session = request.session ?? TOOLOUT_SESSION;
  return { session: session === "" ? undefined : session, anySession: request.anySession ?? false };
}

/** 64 hex digits that stand for the session in the record of the output `id`; null when there is none. */
export function hashSession(session: string | undefined, id: string): string | null {
  return session ? createHmac("sha256", id).update(session).digest("hex") : null;
}

/** Whether the output was stored in the asker's session (none equals only none), or the asker may see all. */
export function isGivenTo(output: { readonly id: string; readonly sessionID: string | null }, asker: Asker): boolean {
  if (asker.anySession) return true;
  const asked = hashSession(asker.session, output.id);
  if (asked === null || output.sessionID === null) return asked === output.sessionID;
  const [stored, given] = [Buffer.from(output.sessionID), Buffer.from(asked)];
  return stored.length === given.length && timingSafeEqual(stored, given);
}
