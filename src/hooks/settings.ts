/** Adds the settings of a hook to those that are in a file already, and changes nothing else in them. */
import { isObject, type JsonObject } from "../text/json.ts";

/** `present` with `wanted` in it; `present` itself when all of it is there. @throws Error naming the member in the way */
export function withSettings(present: JsonObject, wanted: JsonObject, path = ""): JsonObject {
  let merged = present;
  for (const [key, value] of Object.entries(wanted)) {
    const there = merged[key];
    const at = path === "" ? key : `${path}.${key}`;
    if (there === undefined) merged = { ...merged, [key]: value };
    else if (Array.isArray(value)) {
      if (!Array.isArray(there)) throw new Error(`${at} is not an array`);
      const missing = value.filter((entry) => !there.some((one) => runsSame(one, entry)));
      if (missing.length > 0) merged = { ...merged, [key]: [...there, ...missing] };
    } else if (isObject(value)) {
      if (!isObject(there)) throw new Error(`${at} is not an object`);
      const inner = withSettings(there, value, at);
      if (inner !== there) merged = { ...merged, [key]: inner };
    }
  }
  return merged;
}

/** An entry that calls the same hook, with options of the user's perhaps, stands for the wanted one. */
function runsSame(present: unknown, wanted: unknown): boolean {
  const [hook] = /toolout hook [\w-]+/.exec(JSON.stringify(wanted)) ?? [];
  return hook !== undefined && (JSON.stringify(present) ?? "").includes(hook);
}
