// Puts toolout in front of the shell commands that OpenCode runs. Written by `toolout init opencode`.
import { spawnSync } from "node:child_process";

export const toolout = async () => ({
  "tool.execute.before": async (input, output) => {
    if (input.tool !== "bash" || typeof output.args?.command !== "string") return;
    const answer = spawnSync("toolout", ["hook", "opencode"], {
      input: JSON.stringify({ command: output.args.command }),
      encoding: "utf8",
    });
    if (answer.status !== 0) return;
    const { command } = JSON.parse(answer.stdout);
    if (typeof command === "string") output.args.command = command;
  },
});
