import { exitStatus } from "../errors.ts";
import type { Io } from "../io.ts";
import { askerOf } from "../store/asker.ts";
import { isTerminal } from "../stream/terminal.ts";
import type { Definition } from "./definition.ts";
import { addProfileOption, addSharedSessionOptions } from "./options.ts";
import { limitsFor, type Options, sessionOf, text } from "./requests.ts";

export const fitDefinition: Definition = {
  description: "make a batch of results on stdin fit a budget",
  example: "toolout fit --budget-chars 60000 < results.json",
  define: (command) => {
    command
      .option("--budget-chars <n>", "UTF-16 units that the contents may have together (1 - 1,073,741,824)")
      .option("--budget-bytes <size>", "bytes that the contents may have together (1 - 1GiB)")
      .option("--json", "print one JSON document that tells what became of each result");
    addSharedSessionOptions(command);
    addProfileOption(command);
  },
  run: async (_operands, options, io, showHelp) => {
    if (isTerminal(io.stdin)) {
      await showHelp();
      return exitStatus("usage", "fit");
    }
    const request = await fitRequest(options, io);
    const limits = await limitsFor(null, options, io);
    const { fitBatch } = await import("../commands/fit.ts");
    return fitBatch(request, limits, io);
  },
};

/** @throws Failure "usage" */
async function fitRequest(options: Options, io: Io) {
  const { parseBudget } = await import("../fitting/budget.ts");
  const budget = parseBudget(text(options, "budgetChars"), text(options, "budgetBytes"));
  const { session } = askerOf({ session: await sessionOf(options) }, io.env);
  return { budget, session, json: options["json"] === true };
}
