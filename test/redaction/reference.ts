/** What the masker does, said plainly: all of the bytes at once, every shape tried at every place. */
import { mask } from "../../src/redaction/masker.ts";
import { type Shape, shapes, tokenShapes } from "../../src/redaction/shapes.ts";

const mostBlockBytes = 65_536;

export function maskWhole(bytes: Buffer): { bytes: Buffer; count: number } {
  const text = bytes.toString("latin1");
  let shown = "";
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const found = shapes.map((shape) => secretOf(shape, text, at)).find((secret) => secret !== null);
    if (!found) {
      shown += text[at];
      at += 1;
      continue;
    }
    count += 1;
    shown += found.before + mask(found.kind);
    const end = found.shape.isBlock ? Math.min(endOf(found), found.end + mostBlockBytes) : endOf(found);
    if (found.shape.isBlock) shown += maskLines(text.slice(found.end, end), mask(found.kind));
    at = end;
  }
  return { bytes: Buffer.from(shown, "latin1"), count };

  function endOf({ shape, end }: { shape: Shape; end: number }): number {
    for (let at = end; at < text.length; at += 1) {
      shape.end.lastIndex = 0;
      if (shape.end.test(text[at] ?? "")) return at;
    }
    return text.length;
  }
}

function secretOf(shape: Shape, text: string, at: number) {
  const match = matchAt(shape, text, at);
  if (match === null) return null;
  const before = match[1] ?? "";
  const end = at + match[0].length;
  if (shape.accepts && !shape.accepts(match[0].slice(before.length), text.charAt(end), match)) return null;
  const own = tokenShapes.find((one) => matchAt(one, text, at + before.length) !== null);
  const kind = (own ?? shape).kind;
  return { shape, before, end, kind: typeof kind === "string" ? kind : kind(match) };
}

function matchAt({ opener }: Shape, text: string, at: number): RegExpExecArray | null {
  opener.lastIndex = at;
  return opener.exec(text);
}

/** The first line is masked already: what it goes on with is left out. */
function maskLines(text: string, inPlace: string): string {
  const [, ...others] = text.split(/([\r\n])/);
  return others.map((part) => part.replace(/^([ \t]*)[^ \t\r\n][^\r\n]*$/, `$1${inPlace}`)).join("");
}
