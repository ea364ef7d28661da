/**
 * The outputs of a command as one block of text for a model: stdout, then stderr under its name, notices, and how the
 * command ended. All of it together stays inside the limits: what one output leaves goes to the other.
 */
import type { Captured } from "../preview/plan.ts";
import type { PreviewLimits } from "../preview/shares.ts";
import { utf16Units } from "../text/utf8.ts";

const stderrTitle = "stderr:\n";
/** A line of trouble may still come up while the outputs are stored; it is cut to this. */
const noticeBytes = 200;
const exitLineBytes = 60;

/** The limits of each output's preview within those of the whole block. */
export function shareLimits(
  outputs: ReadonlyArray<{ seal(): Captured }>,
  limits: PreviewLimits,
  notices: ReadonlySet<string>,
): PreviewLimits[] {
  const noticeLines = notices.size + 1;
  const frameBytes = exitLineBytes + noticeLines * noticeBytes + outputs.length * (stderrTitle.length + 1);
  const bytes = limits.maxBytes - frameBytes;
  const lines = limits.maxLines - noticeLines - 2;
  const units = limits.maxUnits === undefined ? undefined : limits.maxUnits - frameBytes;
  const captured = outputs.map((output) => output.seal());
  const byBytes = share(
    bytes,
    captured.map((one) => one.bytes),
  );
  const byLines = share(
    lines,
    captured.map((one) => one.lines),
  );
  const byUnits =
    units === undefined
      ? []
      : share(
          units,
          captured.map((one) => utf16Units(one.prefix)),
        );
  return captured.map((_, i) => ({
    ...limits,
    maxBytes: byBytes[i] ?? bytes,
    maxLines: byLines[i] ?? lines,
    maxUnits: byUnits[i],
  }));
}

export function textBlock(previews: readonly Buffer[], notices: ReadonlySet<string>, exitLine: string): Buffer {
  const [out, err] = previews;
  const parts: Buffer[] = [];
  if (out !== undefined) parts.push(...asLines(out));
  if (err !== undefined && err.length > 0) parts.push(Buffer.from(stderrTitle), ...asLines(err));
  for (const text of notices) parts.push(Buffer.from(`toolout: ${clip(text)}\n`));
  parts.push(Buffer.from(`${exitLine}\n`));
  return Buffer.concat(parts);
}

/** Divides `total` among those who want so much each: nobody gets less than an equal part if they want it. */
function share(total: number, wanted: readonly number[]): number[] {
  const [first = 0, second] = wanted;
  const room = Math.max(1, total);
  if (second === undefined) return [room];
  const half = Math.floor(room / 2);
  const forSecond = Math.min(second, Math.max(half, room - first));
  return [Math.max(1, room - forSecond), Math.max(1, forSecond)];
}

function asLines(bytes: Buffer): Buffer[] {
  const endsLine = bytes.length === 0 || bytes[bytes.length - 1] === 0x0a;
  return endsLine ? [bytes] : [bytes, Buffer.from("\n")];
}

function clip(text: string): string {
  return text.length <= noticeBytes / 2 ? text : `${text.slice(0, noticeBytes / 2)}…`;
}
