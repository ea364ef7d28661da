/**
 * What config.json says, as values: reading its text, naming a place in it, and a copy with one place changed.
 * Names come from people and from the file, so only own properties count, and copies are made by computed keys in
 * literals, which define a property and never run the setter behind `__proto__`.
 */

import { Failure } from "../errors.ts";
import { isLimitKey, type LimitKey, limitKeys } from "../limits.ts";
import { isObject, type JsonObject } from "../text/json.ts";
import { nearest } from "../text/nearest.ts";
import { quote } from "../text/quote.ts";

export type ConfigValues = JsonObject;

/** A place in the file: a limit at the top level, or in a profile. */
export interface ConfigKey {
  readonly profile: string | undefined;
  readonly limit: LimitKey;
}

/** The values in a file's text, or the problem with it on one line. */
export function parseConfig(text: string): { values: ConfigValues } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { values: value } : { problem: "is not a JSON object" };
  } catch (error) {
    // V8 quotes the text it stumbled over, line ends and all.
    const message = (error as Error).message.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
    return { problem: `is not JSON: ${message}` };
  }
}

/**
 * The place that `maxLines` or `profiles.NAME.maxLines` names.
 * @throws Failure "usage" for a key outside the limits table or a bad profile name.
 */
export function parseConfigKey(text: string): ConfigKey {
  const parts = text.split(".");
  const limit = parts.length === 1 ? parts[0] : parts.length === 3 && parts[0] === "profiles" ? parts[2] : undefined;
  if (limit === undefined || !isLimitKey(limit)) throw unknownKey(text, parts.at(-1) ?? "");
  if (parts.length === 1) return { profile: undefined, limit };
  const profile = parts[1] as string;
  if (profileName.test(profile)) return { profile, limit };
  throw new Failure(
    "usage",
    `profile name ${quote(profile)} must be letters, digits, _ and -, beginning with a letter or digit`,
  );
}

/** The object that `values` holds under `name` as a property of its own, if it is one. */
export function ownObject(values: ConfigValues, name: string): ConfigValues | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return isObject(value) ? value : undefined;
}

/**
 * A copy with the value set; everything else is kept.
 * @throws Failure "io" when the file holds something else where an object of profiles has to be.
 */
export function withValue(values: ConfigValues, { profile, limit }: ConfigKey, value: unknown): ConfigValues {
  if (profile === undefined) return { ...values, [limit]: value };
  const profiles = objectAt(values, "profiles", "profiles");
  const fields = objectAt(profiles, profile, `profiles.${profile}`);
  return { ...values, profiles: { ...profiles, [profile]: { ...fields, [limit]: value } } };
}

/** A copy without the value, and without the profile that it was the last of; `values` itself when it is not there. */
export function withoutValue(values: ConfigValues, { profile, limit }: ConfigKey): ConfigValues {
  if (profile === undefined) return without(values, limit);
  const profiles = ownObject(values, "profiles") ?? {};
  const fields = ownObject(profiles, profile) ?? {};
  if (!Object.hasOwn(fields, limit)) return values;
  return replaced(values, "profiles", replaced(profiles, profile, without(fields, limit)));
}

const profileName = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

function unknownKey(text: string, limit: string): Failure {
  const meant = nearest(limit, limitKeys);
  return new Failure("usage", `${quote(text)} is not a limit${meant ? `; did you mean ${meant}?` : ""}`, {
    hint: `limits: ${limitKeys.join(", ")}; or profiles.NAME.LIMIT`,
  });
}

function objectAt(values: ConfigValues, name: string, path: string): ConfigValues {
  const found = ownObject(values, name);
  if (found || !Object.hasOwn(values, name)) return found ?? {};
  throw new Failure("io", `${path} in config.json is ${quote(values[name])}, not an object`, {
    hint: "mend it with: toolout config edit",
  });
}

function replaced(values: ConfigValues, name: string, value: ConfigValues): ConfigValues {
  return Object.keys(value).length > 0 ? { ...values, [name]: value } : without(values, name);
}

function without(values: ConfigValues, name: string): ConfigValues {
  if (!Object.hasOwn(values, name)) return values;
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
}
