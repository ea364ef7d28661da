/** One result that may have to be cut: where all of it can be had, and what would stand in its place. */
import { Failure } from "../errors.ts";
import type { ResultResource, ToolResult } from "../fitting/batch.ts";
import type { Candidate, Choice } from "../fitting/plan.ts";
import { type Ends, endsOf, errorTexts, type StubFacts, stubText } from "../fitting/stub.ts";
import type { Environment } from "../io.ts";
import type { Limits } from "../limits.ts";
import { dataDirectory } from "../paths.ts";
import type { Copy } from "../preview/marker.ts";
import { descriptorSource } from "../reading/source.ts";
import { openStoredOutput, type StoredOutput } from "../store/open.ts";
import { uriOf } from "../store/reference.ts";
import { countLines } from "../text/lines.ts";
import { quote } from "../text/quote.ts";
import { mimeType } from "./bounded.ts";
import type { MadeOutputs } from "./made-outputs.ts";
import { openStore } from "./open-store.ts";
import { loadRedaction } from "./redaction.ts";

export interface FitStore {
  readonly env: Environment;
  readonly limits: Pick<Limits, "storeBytes" | "retention" | "quotaBytes" | "redact">;
  /** Whose outputs are referred to, and whose are made. */
  readonly session: string | undefined;
  /** A line about a resource that cannot be had, or a store that cannot be written. */
  readonly onTrouble: (text: string) => void;
}

/** Its own copy takes as much room in a text, whatever its ID turns out to be. */
const anyURI = uriOf("0".repeat(26));

export class FittingResult implements Candidate {
  readonly content: string;
  readonly #result: ToolResult;
  readonly #store: FitStore;
  readonly #bytes: Buffer;
  readonly #redacted: number | undefined;
  readonly #foundResource: ResultResource | null;
  #facts: StubFacts;
  #resource: ResultResource | null;
  #madeID: string | undefined;
  /** Nothing of it is stored yet, and the store has not refused it. */
  isToBeStored: boolean;

  /** Looks for the stored output of the result. `path` names the result in messages. */
  static async of(result: ToolResult, path: string, store: FitStore): Promise<FittingResult> {
    const raw = Buffer.from(result.content, result.encoding ?? "utf8");
    const redaction = await loadRedaction(store.limits);
    const masker = redaction && new redaction.Masker();
    const bytes = masker ? Buffer.concat([masker.write(raw), masker.end()]) : raw;
    const ends = result.encoding ? { head: Buffer.alloc(0), tail: Buffer.alloc(0) } : endsOf(bytes);
    const found = await findStored(result, path, ends, store);
    return new FittingResult(result, store, bytes, ends, found, masker?.count);
  }

  private constructor(
    result: ToolResult,
    store: FitStore,
    bytes: Buffer,
    ends: Ends,
    found: StubFacts | null,
    redacted: number | undefined,
  ) {
    this.content = result.content;
    this.#result = result;
    this.#store = store;
    this.#bytes = bytes;
    this.#redacted = redacted;
    this.#foundResource = found && (result.resource ?? null);
    this.#resource = this.#foundResource;
    this.isToBeStored = found === null;
    const wholeBytes = Math.max(bytes.length, result.resource?.size ?? 0);
    const own = { ends, bytes: bytes.length, lines: countLines(bytes), wholeBytes, offset: ends.head.length };
    this.#facts = found ?? { ...own, copy: this.#copyOf(anyURI, Math.min(bytes.length, store.limits.storeBytes)) };
  }

  get stub(): string {
    return stubText(this.#facts);
  }

  /** A copy made for the stub goes with it, so that only what a command had stored is named. */
  get errors(): readonly [...string[], string] {
    return errorTexts(this.#facts.wholeBytes, this.#foundResource && this.#facts.copy);
  }

  /** Stores the content, or as much as the store takes. Never throws. */
  async store(made: MadeOutputs): Promise<void> {
    this.isToBeStored = false;
    const { env, limits, session, onTrouble } = this.#store;
    try {
      const directory = await dataDirectory(env);
      const writer = await openStore(env, limits.storeBytes, limits);
      writer.write(this.#bytes);
      writer.flush();
      const { keptBytes, shortfall } = writer;
      const { toolCallID, name } = this.#result;
      const { bytes, lines, wholeBytes, ends } = this.#facts;
      const isText = this.#result.encoding === undefined;
      this.#resource = writer.commit({
        ...{ name, session, toolCallID, mime: isText ? mimeType(this.#bytes) : "application/octet-stream" },
        ...{ lines, bytes: wholeBytes, complete: keptBytes === wholeBytes, redacted: this.#redacted },
        ...(wholeBytes === bytes && { shown: { head: ends.head.length, tail: ends.tail.length } }),
      });
      this.#madeID = writer.id;
      made.add(writer.id, directory);
      if (shortfall) onTrouble(shortfall.message);
      this.#facts = { ...this.#facts, copy: this.#copyOf(this.#resource.uri, keptBytes) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      onTrouble(error.message);
      this.#facts = { ...this.#facts, copy: { kind: "none" } };
    }
  }

  /** Removes the copy that was made of it, if one was. */
  giveUp(made: MadeOutputs): void {
    if (this.#madeID !== undefined) made.remove(this.#madeID);
  }

  /** The result as it was chosen to be. */
  as({ kind, text }: Choice): ToolResult {
    if (kind === "kept") return this.#result;
    const { encoding: _, ...rest } = this.#result;
    if (kind === "stub") return { ...rest, content: text, resource: this.#resource };
    return { ...rest, content: text, isError: true, resource: this.#foundResource };
  }

  /** Of what was part of something that cannot be had, all that there is is not the full content. */
  #copyOf(uri: string, keptBytes: number): Copy {
    const { length } = this.#bytes;
    const isWhole = keptBytes === length && !this.#result.resource;
    return isWhole ? { kind: "whole", uri } : { kind: "part", uri, keptBytes };
  }
}

/** What a stub can say of the stored output that the result names; null when it cannot be had. */
async function findStored(
  { resource }: ToolResult,
  path: string,
  ends: Ends,
  { env, session, onTrouble }: FitStore,
): Promise<StubFacts | null> {
  if (!resource) return null;
  try {
    const output = openStoredOutput(await dataDirectory(env), resource.uri, { session, anySession: false });
    try {
      const { uri, size, bytes, lines, complete } = output.record;
      if (uri !== resource.uri) throw new Failure("invalid-uri", `not a URI: ${quote(resource.uri)}`);
      if (size !== resource.size) throw new Failure("damaged", `${uri} has ${size} bytes, not ${resource.size}`);
      const copy: Copy = complete ? { kind: "whole", uri } : { kind: "part", uri, keptBytes: size };
      return { ends, copy, bytes, lines, wholeBytes: bytes, offset: offsetAfter(ends.head, output) };
    } finally {
      output.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    onTrouble(`${path}.resource cannot be had: ${error.message}`);
    return null;
  }
}

/** Where to read on behind a head that the stored output begins with, too; 0 for any other. */
function offsetAfter(head: Buffer, { fd, size, record }: StoredOutput): number {
  return descriptorSource(fd, size, record.uri).read(0, head.length).equals(head) ? head.length : 0;
}
