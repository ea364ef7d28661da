/** The commands of `config`. */
import type { Definition } from "./definition.ts";
import { addJsonOption, addProfileOption } from "./options.ts";
import { text } from "./requests.ts";

export const configDefinitions: Record<string, Definition> = {
  list: {
    description: "show each limit, its value and where it came from",
    example: "toolout config list --profile deepchat",
    define: (command) => {
      addJsonOption(command);
      addProfileOption(command);
    },
    run: async (_operands, options, io) => {
      const { configList } = await import("../commands/config.ts");
      return configList({ json: options["json"] === true, profile: text(options, "profile") }, io);
    },
  },
  get: {
    description: "print the value of a limit",
    example: "toolout config get maxLines",
    define: (command) => {
      command.argument("<key>", "a limit, or profiles.NAME.KEY").option("--json", "print one JSON document");
      addProfileOption(command);
    },
    run: async ([key = ""], options, io) => {
      const { configGet } = await import("../commands/config.ts");
      return configGet({ key, json: options["json"] === true, profile: text(options, "profile") }, io);
    },
  },
  set: {
    description: "set a limit in the file; it holds from the next command on",
    example: "toolout config set profiles.reviewer.runChars 20000",
    define: (command) => {
      command.argument("<key>", "a limit, or profiles.NAME.KEY").argument("<value>", "such as 2000, 50KiB, 7d");
    },
    run: async ([key = "", value = ""], _options, io) => {
      const { configSet } = await import("../commands/config.ts");
      return configSet({ key, value }, io);
    },
  },
  unset: {
    description: "remove a limit from the file",
    example: "toolout config unset maxLines",
    define: (command) => {
      command.argument("<key>", "a limit, or profiles.NAME.KEY");
    },
    run: async ([key = ""], _options, io) => {
      const { configUnset } = await import("../commands/config.ts");
      return configUnset({ key }, io);
    },
  },
  path: {
    description: "print where the file is",
    example: "toolout config path",
    define: () => {},
    run: async (_operands, _options, io) => {
      const { configPath } = await import("../commands/config.ts");
      return configPath({}, io);
    },
  },
  edit: {
    description: "open the file in $VISUAL or $EDITOR, and check it afterwards",
    example: "toolout config edit",
    define: () => {},
    run: async (_operands, _options, io) => {
      const { configEdit } = await import("../commands/config.ts");
      return configEdit({}, io);
    },
  },
};
