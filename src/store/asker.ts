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
