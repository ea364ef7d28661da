import { formatCount } from "../text/quantity.ts";
import type { Omitted } from "./plan.ts";

/**
 * What is left of an output besides its preview. The full content is promised only for `whole`: each of the others says
 * how many bytes there were and how many were kept.
 */
export type Copy =
  | { readonly kind: "whole"; readonly uri: string }
  | { readonly kind: "part"; readonly uri: string; readonly keptBytes: number }
  | { readonly kind: "dropped"; readonly keptBytes: number }
  | { readonly kind: "none" };

export interface MarkerFacts {
  readonly copy: Copy;
  /** Bytes of the whole output. */
  readonly bytes: number;
  readonly omitted: Omitted;
  /** Bytes shown before the marker: the offset of the first byte left out. */
  readonly headBytes: number;
  /** Whether the last byte before the marker ends a line (or there is none). */
  readonly headEndsLine: boolean;
}

/** How every marker begins, whatever the numbers turn out to be: known, and so printable, before the output ends. */
export function markerOpening(headEndsLine: boolean): string {
  return `${headEndsLine ? "" : "\n"}\n... output truncated; `;
}

/** The marker with the line ends around it, at most `markerBytes` bytes. */
export function markerText(facts: MarkerFacts): string {
  const { copy, omitted, bytes, headBytes } = facts;
  const left = `${plural(omitted.lines, "line")} (${plural(omitted.bytes, "byte")}) omitted`;
  return `${markerOpening(facts.headEndsLine)}${describeCopy(copy, bytes)} ...\n... ${left}${nextStep(copy, headBytes)} ...\n\n`;
}

/** What is left of an output, on one line: for where not even the marker's lines have room. */
export function markerLine(copy: Copy, bytes: number): string {
  return `${markerOpening(true).trimStart()}${describeCopy(copy, bytes)} ...\n`;
}

/** Where an output can be had, or how much of it. */
export function describeCopy(copy: Copy, bytes: number): string {
  if (copy.kind === "whole") return `full content available as ${copy.uri}`;
  if (copy.kind === "part") return `${formatCount(copy.keptBytes)} of ${plural(bytes, "byte")} kept as ${copy.uri}`;
  const kept = copy.kind === "dropped" ? copy.keptBytes : 0;
  return `${formatCount(kept)} of ${plural(bytes, "byte")} kept${kept > 0 ? ", see toolout list" : ""}`;
}

/** How to read on from a byte of the copy, where there is something to read. */
export function nextStep(copy: Copy, offset: number): string {
  const leadsOn = copy.kind === "whole" || (copy.kind === "part" && offset < copy.keptBytes);
  return leadsOn ? `; next: toolout read ${copy.uri} --offset ${offset}` : "";
}

/** A count with its noun: `1 line`, `8,004 lines`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}
