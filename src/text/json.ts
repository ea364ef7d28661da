/** What a JSON text holds has to be looked at before it is believed. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** An object, and neither an array nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
