/** `toolout help WORD...`: the help of a command, or a topic. */
import type { Command } from "commander";
import { Failure } from "../errors.ts";
import type { Io } from "../io.ts";
import { nearest } from "../text/nearest.ts";
import { quote } from "../text/quote.ts";
import { isTopic, topicNames, topicText } from "./topics.ts";

/** @throws Failure "usage" for what is neither a command nor a topic */
export function help(words: readonly string[], program: Command, io: Io): number {
  const [topic = ""] = words;
  if (words.length === 1 && isTopic(topic)) io.stdout.write(topicText(topic));
  else commandOf(words, program).outputHelp();
  return 0;
}

function commandOf(words: readonly string[], program: Command): Command {
  let command = program;
  for (const word of words) {
    const inner = command.commands.find((one) => one.name() === word);
    if (inner === undefined) throw unknown(word, command, command === program ? topicNames : []);
    command = inner;
  }
  return command;
}

function unknown(word: string, { commands }: Command, topics: readonly string[]): Failure {
  const names = commands.map((command) => command.name());
  const meant = nearest(word, [...names, ...topics]);
  const what = topics.length > 0 ? "command or topic" : "command";
  return new Failure("usage", `unknown ${what} ${quote(word)}`, {
    hint: meant === undefined ? "toolout --help" : `Did you mean ${meant}?`,
  });
}
