import type { Omitted } from "../preview/plan.ts";
import type { Resource } from "../store/metadata.ts";
import { type Content, encodeContent } from "../text/content.ts";
import { type BoundedOutput, type EndedOutput, previewBytes } from "./bounded.ts";

/** What is told of one output besides what is shown of it. */
export interface OutputSummary {
  readonly truncated: boolean;
  readonly bytes: number;
  readonly lines: number;
  readonly omitted: Omitted | null;
  readonly complete: boolean;
  readonly resource: Resource | null;
  /** Secrets masked, where they are looked for. */
  readonly redacted?: number;
}

/** One output in a JSON document. The limits bound `content` before JSON escapes it. */
export type OutputDocument = Content & OutputSummary;

export function outputDocument(output: BoundedOutput, ended: EndedOutput): OutputDocument {
  const { bytes, plan } = previewBytes(ended, output.preview);
  return { ...encodeContent(bytes), ...summarise(output, ended, plan.omitted) };
}

/** @param omitted What the preview that is shown leaves out. */
export function summarise(output: BoundedOutput, ended: EndedOutput, omitted: Omitted | null): OutputSummary {
  return {
    truncated: omitted !== null,
    bytes: ended.captured.bytes,
    lines: ended.captured.lines,
    omitted,
    complete: ended.isComplete,
    ...(output.redacted !== undefined && { redacted: output.redacted }),
    resource: ended.copy.kind === "dropped" ? null : (ended.stored?.resource ?? null),
  };
}
