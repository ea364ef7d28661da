/** A page of a stored output, for the tool that reads and for those who read resources. */
import { isUtf8 } from "node:buffer";
import type { PagePlace, ReadRequest } from "../commands/read.ts";
import { callIo } from "./call-io.ts";
import { askingEnv, type Host, limitsFor } from "./tool.ts";

export interface McpPage {
  /** Of a page that is UTF-8 the text, of any other the bytes as base64. */
  readonly content: { readonly text: string } | { readonly blob: string };
  /** What is left out, and how to go on; "" when nothing is. */
  readonly note: string;
  readonly place: PagePlace | undefined;
}

/** @throws Failure */
export async function readMcpPage(request: Omit<ReadRequest, "isStored" | "json">, host: Host): Promise<McpPage> {
  const limits = await limitsFor(host);
  const call = callIo(host.io.stdin, askingEnv(host));
  const { read } = await import("../commands/read.ts");
  let place: PagePlace | undefined;
  await read({ ...request, isStored: true }, limits, call.io, (told) => {
    place = told;
  });
  const bytes = call.out();
  const content = isUtf8(bytes) ? { text: bytes.toString("utf8") } : { blob: bytes.toString("base64") };
  return { content, note: call.err(), place };
}
