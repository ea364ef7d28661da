import type { Omitted } from "../preview/plan.ts";
import type { Resource } from "../store/metadata.ts";
import { encodeContent } from "../text/content.ts";
import { type BoundedOutput, type EndedOutput, previewBytes } from "./bounded.ts";

/** One output in a JSON document. The limits bound `content` before JSON escapes it. */
export interface OutputDocument {
  readonly content: string;
  /** Only for content that is not UTF-8. */
  readonly encoding?: "base64";
  readonly truncated: boolean;
  readonly bytes: number;
  readonly lines: number;
  readonly omitted: Omitted | null;
  readonly complete: boolean;
  readonly resource: Resource | null;
  /** Secrets masked, where they are looked for. */
  readonly redacted?: number;
}

export function outputDocument(output: BoundedOutput, ended: EndedOutput): OutputDocument {
  const { bytes, plan } = previewBytes(ended, output.preview);
  return {
    ...encodeContent(bytes),
    truncated: plan.omitted !== null,
    bytes: ended.captured.bytes,
    lines: ended.captured.lines,
    omitted: plan.omitted,
    complete: ended.isComplete,
    ...(output.redacted !== undefined && { redacted: output.redacted }),
    resource: ended.copy.kind === "dropped" ? null : (ended.stored?.resource ?? null),
  };
}
