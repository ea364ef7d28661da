/**
 * Which value of a limit is in force, and where it came from: flag > environment > chosen profile (the file's over the
 * built-in one, field by field) > the file's top level > built-in. What a person says now is refused when it is wrong;
 * what stands in the file never fails: numbers are rounded and clamped, all else counts as not said, with one warning.
 */

import { Failure } from "../errors.ts";
import type { Environment } from "../io.ts";
import {
  builtInProfiles,
  describeKind,
  describeRange,
  formatLimit,
  isLimitKey,
  type LimitKey,
  type Limits,
  type LimitValue,
  limitKeys,
  limitTable,
  parseLimit,
  readText,
} from "../limits.ts";
import { quote } from "../text/quote.ts";
import { type ConfigValues, ownObject } from "./values.ts";

export type Origin = "flag" | "environment" | `profile ${string}` | "file" | "built-in";

/** Texts of limit flags as given; a flag that was not said is absent. */
export type LimitFlags = { readonly [key in LimitKey]?: string | undefined };

export interface LimitSources {
  readonly flags: LimitFlags;
  readonly env: Environment;
  /** `--profile`; unset leaves the choice to TOOLOUT_PROFILE, an empty one chooses none. */
  readonly profile?: string | undefined;
  /** The values of config.json; undefined when it cannot be read, which then hides what profiles there are. */
  readonly file: ConfigValues | undefined;
}

export interface ResolvedLimits {
  readonly limits: Limits;
  readonly origins: Readonly<Record<LimitKey, Origin>>;
  /** One line for everything wrong in the layers of the file that were used, or none. */
  readonly warnings: readonly string[];
}

/** @throws Failure "usage" for a bad flag or variable, and for a profile that neither the file nor toolout has. */
export function resolveLimits(sources: LimitSources): ResolvedLimits {
  const warnings: string[] = [];
  const layers = writtenLayers(sources, warnings);
  const limits: Partial<Record<LimitKey, LimitValue>> = {};
  const origins: Partial<Record<LimitKey, Origin>> = {};
  for (const key of limitKeys) {
    const faults: string[] = [];
    const { value, origin } = spoken(key, sources) ??
      written(key, layers, faults) ?? { value: limitTable[key].default, origin: "built-in" };
    limits[key] = value;
    origins[key] = origin;
    for (const fault of faults) warnings.push(`${fault}, using ${formatLimit(key, value)}`);
  }
  return {
    limits: limits as unknown as Limits,
    origins: origins as Record<LimitKey, Origin>,
    warnings: warnings.length > 0 ? [`config.json: ${warnings.join("; ")}`] : [],
  };
}

/** Everything wrong in the file, used or not: bad values, unknown keys, things that are no profiles. */
export function fileFaults(file: ConfigValues): readonly string[] {
  const { profiles, ...top } = file;
  const faults = layerFaults(top, "");
  if (profiles === undefined) return faults;
  const named = ownObject(file, "profiles");
  if (!named) return [...faults, `profiles ${quote(profiles)} is not an object`];
  for (const [name, value] of Object.entries(named)) {
    const fields = ownObject(named, name);
    if (fields) faults.push(...layerFaults(fields, `profiles.${plain(name)}.`));
    else faults.push(`profiles.${plain(name)} ${quote(value)} is not an object`);
  }
  return faults;
}

interface Layer {
  readonly origin: Origin;
  /** What stands before a key of the layer in a message. */
  readonly prefix: string;
  readonly values: ConfigValues;
}

interface Decision {
  readonly value: LimitValue;
  readonly origin: Origin;
}

/** The chosen profile in the file, its built-in namesake and the file's top level: those of them that there are. */
function writtenLayers({ env, profile, file }: LimitSources, warnings: string[]): Layer[] {
  const { TOOLOUT_PROFILE } = env;
  const name = profile ?? TOOLOUT_PROFILE;
  const layers: Layer[] = file ? [{ origin: "file", prefix: "", values: file }] : [];
  if (!name) return layers;
  const origin: Origin = `profile ${plain(name)}`;
  const builtIn = ownObject(builtInProfiles, name);
  if (builtIn) layers.unshift({ origin, prefix: "", values: builtIn });
  const fields = file ? profileFields(file, name, warnings) : {};
  if (fields) layers.unshift({ origin, prefix: `profiles.${plain(name)}.`, values: fields });
  if (fields || builtIn) return layers;
  const source = profile === undefined ? "TOOLOUT_PROFILE" : "--profile";
  const known = Object.keys({ ...builtInProfiles, ...(file && ownObject(file, "profiles")) }).map(plain);
  throw new Failure("usage", `${source} ${quote(name)} is not a profile; there are ${known.sort().join(", ")}`);
}

/** A profile of the file. What stands in its place but is no object counts as empty: damage in the file stops nothing. */
function profileFields(file: ConfigValues, name: string, warnings: string[]): ConfigValues | undefined {
  let values = file;
  for (const [part, place] of [
    ["profiles", "profiles"],
    [name, `profiles.${plain(name)}`],
  ] as const) {
    if (!Object.hasOwn(values, part)) return undefined;
    const next = ownObject(values, part);
    if (!next) {
      warnings.push(`${place} ${quote(values[part])} is not an object, ignored`);
      return {};
    }
    values = next;
  }
  return values;
}

function spoken(key: LimitKey, { flags, env }: LimitSources): Decision | undefined {
  const { flag, variable } = limitTable[key];
  const said = flags[key];
  if (said !== undefined) return { value: parseLimit(key, said, flag ?? key), origin: "flag" };
  const text = env[variable];
  return text ? { value: parseLimit(key, text, variable), origin: "environment" } : undefined;
}

function written(key: LimitKey, layers: readonly Layer[], faults: string[]): Decision | undefined {
  for (const { origin, prefix, values } of layers) {
    if (!Object.hasOwn(values, key)) continue;
    const { value, fault } = normalise(key, values[key]);
    if (fault) faults.push(`${prefix}${key} ${quote(values[key])} ${fault}`);
    if (value !== undefined) return { value, origin };
  }
  return undefined;
}

/** What a value in the file counts as, and what is wrong with it. */
function normalise(key: LimitKey, found: unknown): { value?: LimitValue; fault?: string } {
  const { unit, least, most } = limitTable[key];
  const text = typeof found === "object" ? "" : String(found);
  const said = typeof found === "number" && unit !== null ? found : readText(key, text);
  if (said === undefined)
    return { fault: `is not ${describeKind(key)}${unit === null ? ` ${describeRange(key)}` : ""}` };
  if (typeof said !== "number") return { value: said };
  const whole = Math.round(said);
  const value = Math.min(Math.max(whole, least), most);
  if (value !== whole) return { value, fault: `is not in ${describeRange(key)}` };
  return value === said ? { value } : { value, fault: "is not a whole number" };
}

function layerFaults(values: ConfigValues, prefix: string): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (!isLimitKey(key)) return [`${prefix}${plain(key)} is not a limit`];
    const { fault } = normalise(key, value);
    return fault ? [`${prefix}${key} ${quote(value)} ${fault}`] : [];
  });
}

/** A name from the file or the command line without what a terminal would obey. */
function plain(name: string): string {
  return quote(name).slice(1, -1);
}
