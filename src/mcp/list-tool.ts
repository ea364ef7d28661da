import type { Arguments } from "./arguments.ts";
import { callIo } from "./call-io.ts";
import { type Answer, askingEnv, type Host, limitsFor, type Tool, textParts } from "./tool.ts";

const mostByDefault = 20;

export const listTool: Tool = {
  name: "list",
  title: "List stored outputs",
  description: "List the outputs that were stored in this session, newest first: URI, age, size, lines, status, name.",
  inputSchema: {
    type: "object",
    properties: {
      count: { type: "integer", minimum: 1, maximum: 1000, description: `most outputs to list (${mostByDefault})` },
      since: { type: "string", description: "outputs from then on: 2h, 7d, 2026-01-31 or 2026-01-31T08:30" },
      name: { type: "string", description: "outputs of this name; * stands for any characters" },
    },
    required: [],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  call: listOutputs,
};

async function listOutputs(args: Arguments, host: Host): Promise<Answer> {
  const limits = await limitsFor(host);
  const call = callIo(host.io.stdin, askingEnv(host));
  const count = Number(args.text("count") ?? mostByDefault);
  const { list } = await import("../commands/list.ts");
  const request = { json: false, since: args.text("since"), named: args.text("name") };
  // One line more is room for the note that there are older ones.
  await list(request, { ...limits, maxLines: Math.min(limits.maxLines, count + 1) }, call.io);
  return { content: textParts(call.out().toString("utf8"), call.err()) };
}
