import type { Arguments } from "./arguments.ts";
import { callIo } from "./call-io.ts";
import { type Answer, askingEnv, type Host, limitsFor, modelText, type Tool, textParts, uriProperty } from "./tool.ts";

export const grepTool: Tool = {
  name: "grep",
  title: "Search a stored output",
  description:
    "Find the lines of a stored output that match. Each comes as LINE:BYTE:text (LINE-BYTE-text around a match); the BYTE is an offset for read. When not all fit, a note says the offset from which to search on.",
  inputSchema: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "regular expression (RE2 syntax)" },
      uri: uriProperty,
      ignoreCase: { type: "boolean", description: "ignore the case of letters" },
      fixed: { type: "boolean", description: "the pattern is plain text" },
      context: { type: "integer", minimum: 0, description: "lines to give around each match" },
      maxCount: { type: "integer", minimum: 1, description: "stop after so many matching lines" },
      offset: { type: "integer", minimum: 0, description: "search from the first line on that begins at this byte" },
    },
    required: ["pattern", "uri"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  call: search,
};

async function search(args: Arguments, host: Host): Promise<Answer> {
  const limits = await limitsFor(host);
  const call = callIo(host.io.stdin, askingEnv(host));
  const request = {
    ...{ pattern: args.text("pattern") ?? "", target: args.text("uri") ?? "", isStored: true },
    ...{ ignoreCase: args.flag("ignoreCase"), fixed: args.flag("fixed"), context: args.text("context") },
    ...{ maxCount: args.text("maxCount"), offset: args.text("offset") },
  };
  const { grep } = await import("../commands/grep.ts");
  const status = await grep(request, limits, call.io);
  const nothing = status === 0 ? "" : "toolout: no line matches\n";
  return { content: textParts(modelText(call.out()), call.err(), nothing) };
}
