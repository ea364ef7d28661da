/** The door to the SDK: toolout's tools and resources as an MCP server. A request can fail; the server goes on. */
import type { Readable, Writable } from "node:stream";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { version } from "../../package.json";
import { Failure } from "../errors.ts";
import { notice } from "../notice.ts";
import { visible } from "../text/visible.ts";
import { Arguments } from "./arguments.ts";
import { grepTool } from "./grep-tool.ts";
import { listTool } from "./list-tool.ts";
import { readTool } from "./read-tool.ts";
import { listResources, readResource, resourceTemplate } from "./resources.ts";
import { runTool } from "./run-tool.ts";
import type { Answer, Host, Tool } from "./tool.ts";

const tools: readonly Tool[] = [runTool, readTool, grepTool, listTool];
/** Of the protocol; the SDK has no name for it. */
const resourceNotFound = -32_002;
/** Clients give up after a minute in which they hear nothing (the SDK's default). */
const progressMs = 5_000;
/** Of one message, with what a command is to read from its stdin. */
export const mostMessageBytes = 64 * 1024 * 1024;

const instructions =
  "Outputs that are too long are stored whole, and shown by their beginning and end. `toolout read URI --offset N` in a text stands for the tool read with that uri and offset, `toolout grep ...` for the tool grep.";

export class McpServer {
  readonly #host: Host;
  readonly #ending: AbortSignal;
  readonly #server = new Server(
    { name: "toolout", version },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  readonly #calls = new Set<Promise<unknown>>();

  /** @param ending Is aborted when the server ends, and with it all that it runs. */
  constructor(host: Host, ending: AbortSignal) {
    this.#host = host;
    this.#ending = ending;
    const server = this.#server;
    server.onerror = (error) => notice(host.io.stderr, `mcp: ${error.message}`);
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ call: _, ...told }) => told) }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, _meta, sendNotification }) => {
      const stopProgress = startProgress(_meta?.progressToken, (told) =>
        sendNotification({ method: "notifications/progress", params: told }),
      );
      return this.#track(this.#call(params.name, params.arguments ?? {}, signal).finally(stopProgress));
    });
    server.setRequestHandler(ListResourcesRequestSchema, () => this.#track(answered(listResources(host))));
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [resourceTemplate] }));
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
      this.#track(answered(readResource(params.uri, host))),
    );
  }

  /** Answers what comes in from now on. `onClose` is called when a message is too large to go on. */
  async listen(input: Readable, output: Writable, onClose: () => void): Promise<void> {
    this.#server.onclose = onClose;
    await this.#server.connect(new StdioServerTransport(input, output, { maxBufferSize: mostMessageBytes }));
  }

  /** Resolves when everything that was asked is answered. */
  async settled(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls);
    await new Promise(setImmediate); // the SDK sends an answer some microtasks after it has it
  }

  #track<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call);
    const forget = () => this.#calls.delete(call);
    call.then(forget, forget);
    return call;
  }

  async #call(name: string, sent: Record<string, unknown>, signal: AbortSignal): Promise<Answer> {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `no tool ${visible(name, 60)}`);
    try {
      const args = new Arguments(name, tool.inputSchema, sent);
      return await tool.call(args, this.#host, AbortSignal.any([signal, this.#ending]));
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** For the model, which may mend its call. What is no failure but a bug is told to the owner too. */
  #failed(error: unknown): Answer {
    if (!(error instanceof Failure)) {
      const { stack, message } = error as Error;
      this.#host.io.stderr.write(`toolout: this is a bug in toolout: ${stack}\n`);
      return { isError: true, content: [{ type: "text", text: `toolout: this is a bug in toolout: ${message}` }] };
    }
    const text = `toolout: ${lineOf(error)}`;
    return { isError: true, content: [{ type: "text", text }], _meta: { "toolout/error": { kind: error.kind } } };
  }
}

/** Failures as errors of the protocol, which resources have instead of answers that are errors. */
async function answered<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { kind } = error;
    const isMissing = kind === "not-found" || kind === "expired";
    const isWrong = kind === "invalid-uri" || kind === "access-denied";
    const code = isMissing ? resourceNotFound : isWrong ? ErrorCode.InvalidParams : ErrorCode.InternalError;
    throw new McpError(code, lineOf(error), { kind });
  }
}

/** Hints of the command line are not for a model when they name options. */
function lineOf({ message, hint }: Failure): string {
  return visible(hint === undefined || hint.includes("--") ? message : `${message}; ${hint}`);
}

/** Tells that the call goes on, in seconds, to a client that wants to know. */
function startProgress(
  progressToken: string | number | undefined,
  tell: (told: { progressToken: string | number; progress: number }) => Promise<void>,
): () => void {
  if (progressToken === undefined) return () => {};
  const startedMs = performance.now();
  const timer = setInterval(() => {
    const progress = Math.round((performance.now() - startedMs) / 1000);
    tell({ progressToken, progress }).catch(() => {}); // nobody listens any more
  }, progressMs);
  return () => clearInterval(timer);
}
