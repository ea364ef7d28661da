/** A batch of results as JSON, read strictly: a wrong member is named with its value; those not known are kept. */
import { Failure } from "../errors.ts";
import { isObject, type JsonObject } from "../text/json.ts";
import { quote } from "../text/quote.ts";

/** A stored output, as JSON documents of toolout name it; `size` counts its stored bytes. */
export interface ResultResource {
  readonly uri: string;
  readonly mime: string;
  readonly name: string;
  readonly size: number;
}

/** What a tool gave for one call. */
export interface ToolResult {
  readonly toolCallID: string;
  readonly name: string;
  readonly content: string;
  /** The content is base64 of bytes that are no text. */
  readonly encoding?: "base64" | undefined;
  readonly isError?: boolean | undefined;
  /** The stored output that the content is of, as JSON documents of toolout have it. */
  readonly resource?: ResultResource | null | undefined;
}

export interface Batch {
  readonly results: readonly ToolResult[];
  /** The results in the shape that the batch had: an array, or `results` of an object. */
  shape(results: readonly ToolResult[]): unknown;
}

/**
 * Half a surrogate pair has no UTF-8, and so cannot be stored or printed: it becomes U+FFFD, as in every encoder
 * (WHATWG Infra, "convert to a scalar value string").
 * @throws Failure "usage" that names the member and its value
 */
export function parseBatch(bytes: Uint8Array): Batch {
  const value = parseJson(bytes);
  if (Array.isArray(value)) return { results: parseResults(value, ""), shape: (results) => results };
  if (isObject(value) && Array.isArray(value["results"])) {
    return { results: parseResults(value["results"], "results"), shape: (results) => ({ ...value, results }) };
  }
  const found = isObject(value) ? `results ${quote(value["results"])}` : quote(value);
  throw new Failure("usage", `stdin must be an array of results, or an object with "results", not ${found}`);
}

/** @throws Failure "usage" that names the member, below `path`, and its value */
export function parseResults(values: readonly unknown[], path: string): ToolResult[] {
  return values.map((value, i) => parseResult(value, `${path}[${i}]`));
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const what = error instanceof SyntaxError ? `no JSON: ${error.message}` : "not UTF-8";
    throw new Failure("usage", `stdin is ${what}`, { cause: error });
  }
}

type Check = readonly [is: (value: unknown) => boolean, kind: string];

const isText = (value: unknown) => typeof value === "string";
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const text: Check = [isText, "a string"];

const members: Readonly<Record<keyof ToolResult, Check>> = {
  toolCallID: text,
  name: text,
  content: text,
  encoding: [(value) => value === undefined || value === "base64", '"base64" where it is given'],
  isError: [(value) => value === undefined || typeof value === "boolean", "true or false"],
  resource: [(value) => value === undefined || value === null || isObject(value), "null or an object"],
};

const resourceMembers: Readonly<Record<keyof ResultResource, Check>> = {
  uri: text,
  mime: text,
  name: text,
  size: [isCount, "a number of bytes"],
};

function parseResult(value: unknown, path: string): ToolResult {
  if (!isObject(value)) throw wrong(path, "an object", value);
  check(value, members, path);
  const { content, encoding, resource } = value as unknown as ToolResult;
  if (encoding === "base64" && !isBase64(content)) throw wrong(`${path}.content`, "base64", content);
  if (resource) check(resource as unknown as JsonObject, resourceMembers, `${path}.resource`);
  return { ...(value as unknown as ToolResult), content: content.toWellFormed() };
}

function check(value: JsonObject, checks: Readonly<Record<string, Check>>, path: string): void {
  for (const [member, [is, kind]] of Object.entries(checks)) {
    const found = Object.hasOwn(value, member) ? value[member] : undefined;
    if (!is(found)) throw wrong(`${path}.${member}`, kind, found);
  }
}

/** RFC 4648, section 4, its padding left out or not: anything else would not come back as it was. */
function isBase64(text: string): boolean {
  return Buffer.from(text, "base64").toString("base64").replace(/=+$/, "") === text.replace(/={0,2}$/, "");
}

function wrong(path: string, kind: string, found: unknown): Failure {
  return new Failure("usage", `${path} must be ${kind}, not ${quote(found)}`);
}
