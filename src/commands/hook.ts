/** `toolout hook`: an agent asks before it runs a shell command, and is answered with the command behind `toolout run`. */
import { Failure } from "../errors.ts";
import { type Agent, agentNamed } from "../hooks/agents.ts";
import { wrapCommand } from "../hooks/wrap.ts";
import type { Environment, Io } from "../io.ts";
import { WholeInput } from "../stream/whole-input.ts";
import { isObject, type JsonObject } from "../text/json.ts";
import { quote } from "../text/quote.ts";

export interface HookRequest {
  readonly agent: string;
  /** Passed on to `toolout run`. */
  readonly profile: string | undefined;
  readonly allow: boolean;
}

/** An event holds one tool call; a file that an agent writes may be in it. */
const mostEventBytes = 64 * 1024 * 1024;

/**
 * Reads one event on stdin and prints the answer: `{}` for a call that is left as it is.
 * @throws Failure "usage" for an unknown agent or an event that is no JSON object; the call then goes on without toolout.
 */
export async function hook({ agent: name, profile, allow }: HookRequest, io: Io): Promise<number> {
  const agent = agentNamed(name);
  const event = parseEvent(await new WholeInput(io.stdin, mostEventBytes).bytes());
  const answer = answerFor(agent, event, { profile, allow, shell: shellOf(agent, io.env) });
  io.stdout.write(`${JSON.stringify(answer)}\n`);
  return 0;
}

interface AnswerOptions {
  readonly profile: string | undefined;
  readonly allow: boolean;
  readonly shell: string;
}

function answerFor(agent: Agent, event: JsonObject, { profile, allow, shell }: AnswerOptions): JsonObject {
  const args = agent.argumentsOf(event);
  if (args === null) return {};
  const command = wrapCommand(String(args["command"]), { shell, keepsDirectory: agent.keepsDirectory, profile });
  return command === null ? {} : agent.answer({ ...args, command }, allow);
}

function parseEvent(bytes: Buffer): JsonObject {
  let event: unknown;
  try {
    event = JSON.parse(bytes.toString());
  } catch {
    throw new Failure("usage", `stdin must be the JSON of an event, not ${quote(bytes.toString("utf8", 0, 100))}`);
  }
  if (isObject(event)) return event;
  throw new Failure("usage", `stdin must be a JSON object, not ${quote(event)}`);
}

/** What the agents fall back to themselves for users of another shell. */
function shellOf({ shell }: Agent, { SHELL = "" }: Environment): string {
  const name = SHELL.slice(SHELL.lastIndexOf("/") + 1);
  return shell === "user" && name === "zsh" ? "zsh" : "bash";
}
