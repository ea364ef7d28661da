import { expect, test } from "vitest";
import { beginBytes, reachBytes, shapes } from "../../src/redaction/shapes.ts";
import { tokens } from "./samples.ts";

/** The most characters that an opener can match or look ahead at, from its source: each is a sequence with bounded repeats. */
function longest(source: string): number {
  let at = 0;
  const alternatives = (): number => {
    let most = 0;
    let sum = 0;
    while (at < source.length && source[at] !== ")") {
      if (source[at] === "|") {
        most = Math.max(most, sum);
        sum = 0;
        at += 1;
      } else sum += repeated(atom());
    }
    return Math.max(most, sum);
  };
  const atom = (): number => {
    if (source[at] === "(") {
      const [head] = /^\((?:\?(?:<?[=!]|:|<\w+>))?/.exec(source.slice(at)) ?? [""];
      at += head.length;
      const inner = alternatives();
      at += 1;
      return head.includes("<=") || head.includes("<!") ? 0 : inner;
    }
    const [one = ""] = /^(?:\[(?:\\.|[^\]\\])*\]|\\x..|\\.|.)/s.exec(source.slice(at)) ?? [];
    at += one.length;
    return 1;
  };
  const repeated = (length: number): number => {
    const [all, most] = /^(?:\?|\{(?:\d+,)?(\d+)\})/.exec(source.slice(at)) ?? [];
    if (all === undefined) {
      expect("*+{".includes(source[at] ?? " "), source.slice(at - 20)).toBe(false);
      return length;
    }
    at += all.length;
    return length * Number(most ?? 1);
  };
  return alternatives();
}

test.each(shapes.map((shape, i) => [i, shape.opener.source, shape] as const))(
  "opener %i is bounded, and begins as it says",
  (_, source, { opener, beginnings }) => {
    expect(longest(source)).toBeGreaterThan(12);
    expect(longest(source) + 1).toBeLessThan(reachBytes);
    expect(opener.sticky).toBe(true);
    for (const text of beginnings) expect(text.slice(0, beginBytes)).toMatch(/^[^\s]{3}$/);
  },
);

test("every shape of a token is among the samples", () => {
  for (const { opener, kind } of shapes.filter(
    (shape) => shape.accepts === undefined && typeof shape.kind === "string",
  )) {
    const known = ["private-key", "url-token", "aws-secret-key"].includes(kind as string);
    const isMatched = tokens.some(([name, secret]) => {
      opener.lastIndex = 0;
      return name === kind && opener.test(secret);
    });
    expect(known || isMatched, opener.source).toBe(true);
  }
});
