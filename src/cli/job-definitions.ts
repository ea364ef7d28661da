/** The commands for what `run --background` has started. */
import type { Definable, Definition } from "./definition.ts";
import { addJsonOption, addLimitOptions, addProfileOption, addSessionOptions } from "./options.ts";
import { askRequest, duration, limitsFor, text } from "./requests.ts";

export const jobDefinitions: Record<string, Definition> = {
  jobs: {
    description: "list the background commands, newest first",
    example: "toolout jobs --json",
    define: (command) => {
      addJsonOption(command);
      addProfileOption(command);
      addSessionOptions(command);
    },
    run: async (_operands, options, io) => {
      const limits = await limitsFor(null, options, io);
      const { jobs } = await import("../commands/jobs.ts");
      return jobs(await askRequest(options), limits, io);
    },
  },
  poll: {
    description: "tell how a background command stands, and print what it has printed",
    example: "toolout poll job-2x9Qv0KfTe --since 4096",
    define: (command) => {
      addJobArgument(command);
      command.option("--since <bytes>", "print what came from this byte on; without it the recent end");
      addJsonOption(command);
      addLimitOptions(command, "poll");
      addSessionOptions(command);
    },
    run: async ([job = ""], options, io) => {
      const limits = await limitsFor("poll", options, io);
      const { poll } = await import("../commands/poll.ts");
      return poll({ job, since: text(options, "since"), ...(await askRequest(options)) }, limits, io);
    },
  },
  wait: {
    description: "wait for a background command, and end as it ended",
    example: "toolout wait job-2x9Qv0KfTe --timeout 10m",
    define: (command) => {
      addJobArgument(command);
      command.option("--timeout <duration>", "wait no longer; status 124 when the command still goes on");
      addJsonOption(command);
      addSessionOptions(command);
    },
    run: async ([job = ""], options, io) => {
      const { wait } = await import("../commands/wait.ts");
      return wait({ job, timeoutMs: duration(options, "timeout"), ...(await askRequest(options)) }, io);
    },
  },
  stop: {
    description: "end a background command and all it started",
    example: "toolout stop job-2x9Qv0KfTe",
    define: (command) => {
      addJobArgument(command);
      command.option("--kill-after <duration>", "time from SIGTERM to SIGKILL (default: 3s)");
      addJsonOption(command);
      addSessionOptions(command);
    },
    run: async ([job = ""], options, io) => {
      const { stop } = await import("../commands/stop.ts");
      const killAfterMs = duration(options, "killAfter") ?? 3_000;
      return stop({ job, killAfterMs, ...(await askRequest(options)) }, io);
    },
  },
  write: {
    description: "hand what comes on stdin to the stdin of a background command",
    example: "echo yes | toolout write job-2x9Qv0KfTe",
    define: (command) => {
      addJobArgument(command);
      command.option("--eof", "then end its stdin");
      addSessionOptions(command);
    },
    run: async ([job = ""], options, io) => {
      const { write } = await import("../commands/write.ts");
      return write({ job, eof: options["eof"] === true, ...(await askRequest(options)) }, io);
    },
  },
};

function addJobArgument(command: Definable): void {
  command.argument("<job>", "ID of a background command");
}
