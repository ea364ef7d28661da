/** How `run` tells what came of its command: as it was printed, as one JSON document, or as one block for a model. */
import type { Io, Sink } from "../io.ts";
import { notice } from "../notice.ts";
import { markerLine } from "../preview/marker.ts";
import { type Captured, fits, type Omitted } from "../preview/plan.ts";
import { markerLines, type PreviewLimits } from "../preview/shares.ts";
import type { Exit } from "../process/child.ts";
import type { Ending } from "../process/supervise.ts";
import { formatDocument } from "../text/visible.ts";
import { type BoundedOutput, type EndedOutput, previewBytes } from "./bounded.ts";
import { type OutputDocument, type OutputSummary, outputDocument, summarise } from "./document.ts";
import { shareLimits, textBlock } from "./text-block.ts";

export interface ResultRequest {
  readonly command: readonly string[];
  readonly format: "plain" | "json" | "text";
  readonly session: string | undefined;
  readonly call: string | undefined;
  readonly name: string | undefined;
  readonly recordCommand: boolean;
}

export type StreamName = "stdout" | "stderr" | "output";

/** One stream of the command: where it is captured, and where it goes. */
export interface RunStream {
  readonly name: StreamName;
  readonly sink: Sink;
  readonly output: BoundedOutput;
}

export interface RunResults {
  readonly request: ResultRequest;
  readonly io: Io;
  readonly streams: readonly RunStream[];
  readonly ending: Ending;
  readonly notices: Set<string>;
  readonly startedMs: number;
  /** Is told of a block of text what a program would want to know besides. */
  readonly onSummary?: ((summary: RunSummary) => void) | undefined;
}

/** How the command ended, and what came of its outputs, by their names. */
export interface RunSummary {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly outputs: Readonly<Partial<Record<StreamName, OutputSummary>>>;
}

/** Stores and prints; true when something was stored. */
export function printResults(results: RunResults): Promise<boolean> {
  return { plain: printPlain, json: printJson, text: printText }[results.request.format](results);
}

/** The rest of each stream, then what toolout itself has to say. */
async function printPlain({ request, io, streams, ending, notices }: RunResults): Promise<boolean> {
  let isStored = false;
  for (const { name, output, sink } of streams) {
    const ended = await output.end(factsFor(request, name, ending.exit));
    output.print(ended, sink);
    const place = output.placeOf(ended);
    if (place !== null) notices.add(`${name}: ${place}`);
    isStored ||= ended.stored !== null;
  }
  for (const text of notices) notice(io.stderr, text);
  return isStored;
}

async function printJson({ request, io, streams, ending, notices, startedMs }: RunResults): Promise<boolean> {
  const { command } = request;
  const outputs: Record<string, OutputDocument> = {};
  let isStored = false;
  for (const { name, output } of streams) {
    const ended = await output.end(factsFor(request, name, ending.exit));
    outputs[name] = outputDocument(output, ended);
    isStored ||= ended.stored !== null;
  }
  const document = { version: 1, command, ...describeEnding(ending, startedMs), ...outputs };
  io.stdout.write(formatDocument(document));
  for (const text of notices) notice(io.stderr, text);
  return isStored;
}

/** One block for a model, all of it inside the limits. */
async function printText(results: RunResults): Promise<boolean> {
  const { request, io, streams, ending, notices, startedMs } = results;
  const outputs = streams.map(({ output }) => output);
  const shares = shareLimits(outputs, (outputs[0] as BoundedOutput).preview, notices);
  const ended: EndedOutput[] = [];
  const summaries: Partial<Record<StreamName, OutputSummary>> = {};
  for (const [i, { name, output }] of streams.entries()) {
    const share = shares[i] as PreviewLimits;
    const captured = output.seal();
    const fate = fits(captured, share) ? "bound" : "store";
    const shownWithin = hasRoom(captured, share) ? share : null;
    ended.push(await output.end(factsFor(request, name, ending.exit), fate, shownWithin));
  }
  const shown = ended.map((one, i) => showWithin(one, shares[i] as PreviewLimits));
  io.stdout.write(
    textBlock(
      shown.map(({ bytes }) => bytes),
      notices,
      describeExit(ending.exit),
    ),
  );
  for (const [i, { name, output }] of streams.entries()) {
    summaries[name] = summarise(output, ended[i] as EndedOutput, shown[i]?.omitted ?? null);
  }
  results.onSummary?.({ ...describeEnding(ending, startedMs), outputs: summaries });
  return ended.some(({ stored }) => stored !== null);
}

/** The preview of an output, or the marker's one line when a line of the output and the marker have no room. */
function showWithin(ended: EndedOutput, share: PreviewLimits): { bytes: Buffer; omitted: Omitted | null } {
  const { copy, captured } = ended;
  if (hasRoom(captured, share)) {
    const { bytes, plan } = previewBytes(ended, share);
    return { bytes, omitted: plan.omitted };
  }
  const { bytes, lines } = captured;
  return { bytes: Buffer.from(markerLine(copy, bytes)), omitted: { bytes, lines } };
}

function hasRoom(captured: Captured, share: PreviewLimits): boolean {
  return share.maxLines > markerLines || fits(captured, share);
}

function describeEnding({ exit, timedOut }: Ending, startedMs: number) {
  const durationMs = Math.round(performance.now() - startedMs);
  return { exitCode: exit.code, signal: exit.signal, timedOut, durationMs };
}

/** What is kept with the stored copy of a stream. */
export function factsFor(request: ResultRequest, name: string, exit: Exit) {
  const { session, call: toolCallID, recordCommand, command } = request;
  const own = { name: request.name ?? name, session, toolCallID, exitCode: exit.code, signal: exit.signal };
  return recordCommand ? { ...own, command } : own;
}

function describeExit({ code, signal }: Exit): string {
  return signal === null ? `Command exited with code ${code}.` : `Command was ended by ${signal}.`;
}
