/**
 * The arguments of a tool: the JSON Schema that clients are shown, and reading what they send by it. Models send numbers
 * as text and null for what they leave out, which is understood; all else is refused with what would be right.
 */
import { Failure } from "../errors.ts";
import { nearest } from "../text/nearest.ts";
import { formatCount, parseInteger } from "../text/quantity.ts";
import { quote } from "../text/quote.ts";

interface Described {
  readonly description: string;
}
export type Property = Described &
  (
    | { readonly type: "string" }
    | { readonly type: "boolean" }
    | { readonly type: "integer"; readonly minimum: number; readonly maximum?: number }
    | { readonly type: "array"; readonly items: { readonly type: "string" }; readonly minItems: number }
  );

/** What a tool takes. A type and not an interface, so that it is a JSON object to the SDK too. */
export type InputSchema = {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: string[];
  readonly additionalProperties: false;
};

/** What was sent, by the schema; what was not sent is absent. */
export class Arguments {
  readonly #values: ReadonlyMap<string, unknown>;

  /** @throws Failure "usage" that names the argument, its value and what would be right. */
  constructor(tool: string, { properties, required }: InputSchema, sent: Readonly<Record<string, unknown>>) {
    const said = Object.entries(sent).filter(([, value]) => value !== undefined && value !== null);
    const names = Object.keys(properties);
    const values = said.map(([name, value]): [string, unknown] => {
      if (!Object.hasOwn(properties, name)) throw unknownArgument(tool, name, names);
      return [name, checked(name, properties[name] as Property, value)];
    });
    this.#values = new Map(values);
    const missing = required.find((name) => !this.#values.has(name));
    if (missing !== undefined)
      throw new Failure("usage", `${tool} needs ${missing}: ${properties[missing]?.description}`);
  }

  /** A text, or a number as a text; undefined when it was not sent. */
  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return value === undefined ? undefined : String(value);
  }

  flag(name: string): boolean {
    return this.#values.get(name) === true;
  }

  words(name: string): readonly string[] | undefined {
    return this.#values.get(name) as readonly string[] | undefined;
  }
}

function checked(name: string, property: Property, value: unknown): unknown {
  const read = property.type === "integer" && typeof value === "string" ? parseInteger(value) : value;
  if (isValid(property, read)) return read;
  throw new Failure("usage", `${name} must be ${describe(property)}, not ${quote(value)}`);
}

function isValid(property: Property, value: unknown): boolean {
  if (property.type === "array") {
    const isWords = Array.isArray(value) && value.every((word) => typeof word === "string");
    return isWords && value.length >= property.minItems;
  }
  if (property.type !== "integer") return typeof value === property.type;
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = property;
  return Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
}

function describe(property: Property): string {
  if (property.type === "array") return "an array of one or more strings";
  if (property.type === "string") return "a string";
  if (property.type === "boolean") return "true or false";
  const { minimum, maximum } = property;
  const range =
    maximum === undefined ? `of ${minimum} or more` : `in ${formatCount(minimum)} - ${formatCount(maximum)}`;
  return `a whole number ${range}`;
}

function unknownArgument(tool: string, name: string, names: readonly string[]): Failure {
  const meant = nearest(name, names);
  const what = `${tool} has no argument ${quote(name)}`;
  return new Failure("usage", meant === undefined ? what : `${what}; did you mean ${meant}?`, {
    hint: `its arguments are ${names.join(", ")}`,
  });
}
