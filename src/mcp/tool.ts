/** What every tool is made of. The shapes are those of the protocol (modelcontextprotocol.io, 2025-11-25), by hand. */
import { isUtf8 } from "node:buffer";
import { loadLimits } from "../config/load.ts";
import type { LimitFlags } from "../config/resolve.ts";
import type { Environment, Io } from "../io.ts";
import type { Limits } from "../limits.ts";
import { notice } from "../notice.ts";
import type { Arguments, InputSchema, Property } from "./arguments.ts";

/** Who serves: the same for all calls. */
export interface Host {
  /** Of toolout itself; its stdin and stdout are the protocol's. */
  readonly io: Io;
  readonly session: string | undefined;
  readonly profile: string | undefined;
}

export type Part =
  | { type: "text"; text: string }
  | { type: "resource_link"; uri: string; name: string; mimeType: string; size: number }
  | { type: "resource"; resource: { uri: string; mimeType: string; blob: string } };

/** A type and not an interface, so that it is a JSON object to the SDK too. */
export type Answer = {
  content: Part[];
  isError?: boolean;
  /** For programs; clients do not show it to a model. */
  _meta?: Record<string, unknown>;
};

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: { readOnlyHint: boolean; openWorldHint: boolean; destructiveHint?: boolean };
  /** @param cancel Is aborted when nobody waits for the answer any more. @throws Failure */
  readonly call: (args: Arguments, host: Host, cancel: AbortSignal) => Promise<Answer>;
}

/** The limits in force for this call, so that a change of config.json counts at once; what is wrong there goes to the log. */
export async function limitsFor({ io, profile }: Host, flags: LimitFlags = {}): Promise<Limits> {
  const { limits, warnings } = await loadLimits({ flags, profile }, io.env);
  for (const warning of warnings) notice(io.stderr, warning);
  return limits;
}

/**
 * The environment in which outputs are asked for. The session is in it and not in the request, whose words are repeated in
 * notes: a model needs no session to go on, and should not be told the owner's.
 */
export function askingEnv({ io, session }: Host): Environment {
  return session === undefined ? io.env : { ...io.env, TOOLOUT_SESSION: session };
}

/** For a model. What is no UTF-8 becomes a question mark for each piece, which never takes more room than the bytes. */
export function modelText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return isUtf8(bytes) ? text : text.replaceAll("\ufffd", "?");
}

/** Some clients refuse a text without characters. */
export function textParts(...texts: readonly string[]): Part[] {
  return texts.filter((text) => text !== "").map((text) => ({ type: "text", text }));
}

export const uriProperty: Property = {
  type: "string",
  description: "a stored output: tool-output://ID, its ID, 8 or more of its first characters, or last, the newest",
};
