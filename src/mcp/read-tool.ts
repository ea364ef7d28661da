import { formatCount } from "../text/quantity.ts";
import type { Arguments } from "./arguments.ts";
import { readMcpPage } from "./page.ts";
import { type Answer, type Host, type Tool, textParts, uriProperty } from "./tool.ts";

export const readTool: Tool = {
  name: "read",
  title: "Read a stored output",
  description:
    "Read one page of a stored output: from its beginning, from a byte (offset) or a line (line), or its last lines (tail). The page comes as it is; when more follows, a note says the offset of the next.",
  inputSchema: {
    type: "object",
    properties: {
      uri: uriProperty,
      offset: { type: "integer", minimum: 0, description: "byte to begin at, counted from 0" },
      line: { type: "integer", minimum: 1, description: "line to begin at, counted from 1" },
      lines: { type: "integer", minimum: 1, description: "most lines to give" },
      tail: { type: "integer", minimum: 1, description: "give the last so many lines" },
    },
    required: ["uri"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  call: readPage,
};

async function readPage(args: Arguments, host: Host): Promise<Answer> {
  const [target = "", offset, line] = [args.text("uri"), args.text("offset"), args.text("line")];
  const request = { target, offset, line, lines: args.text("lines"), tail: args.text("tail") };
  const { content, note, place } = await readMcpPage(request, host);
  const _meta = { "toolout/page": place };
  if ("text" in content) {
    const nothing = `toolout: nothing is there: the output ends before byte ${formatCount((place?.offset ?? 0) + 1)}\n`;
    return { content: textParts(content.text, content.text === "" && note === "" ? nothing : note), _meta };
  }
  const blob = { uri: target, mimeType: "application/octet-stream", blob: content.blob };
  return { content: [{ type: "resource", resource: blob }, ...textParts(note)], _meta };
}
