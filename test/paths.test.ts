import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { configFile, dataDirectory } from "../src/paths.ts";

const onXdgPlatform = process.platform !== "darwin" && process.platform !== "win32";

describe("an absolute XDG variable says where", () => {
  test("data and configuration are", async () => {
    expect(await dataDirectory({ XDG_DATA_HOME: "/x/data" })).toBe("/x/data/toolout");
    expect(await configFile({ XDG_CONFIG_HOME: "/x/config" })).toBe("/x/config/toolout/config.json");
  });

  test("also for a user without a home", async () => {
    expect(await dataDirectory({ HOME: "", XDG_DATA_HOME: "/x" })).toBe("/x/toolout");
  });
});

describe.runIf(onXdgPlatform)("without one", () => {
  test.each([undefined, "", "rel", "./rel", "~/x"])("XDG variables of %j leave it to HOME", async (value) => {
    expect(await dataDirectory({ HOME: "/h", XDG_DATA_HOME: value })).toBe("/h/.local/share/toolout");
    expect(await configFile({ HOME: "/h", XDG_CONFIG_HOME: value })).toBe("/h/.config/toolout/config.json");
  });

  describe("and without HOME", () => {
    beforeEach(() => {
      vi.resetModules();
      for (const name of ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"]) vi.stubEnv(name, undefined);
    });
    afterEach(() => {
      vi.unstubAllEnvs();
    });

    test("the home of the account counts, whatever a relative XDG variable says", async () => {
      expect(await dataDirectory({})).toBe(join(homedir(), ".local/share/toolout"));
      vi.stubEnv("XDG_DATA_HOME", "rel");
      expect(await dataDirectory({ XDG_DATA_HOME: "rel" })).toBe(join(homedir(), ".local/share/toolout"));
    });
  });
});

test.each(["", "rel", "."])("HOME=%j is no home: no configuration file, and nowhere to store", async (HOME) => {
  expect(await configFile({ HOME })).toBeUndefined();
  await expect(dataDirectory({ HOME })).rejects.toMatchObject({
    kind: "io",
    message: expect.stringContaining("no home directory"),
  });
});

test("TOOLOUT_DATA_DIR replaces the data directory, relative to the working directory, and empty it is unset", async () => {
  expect(await dataDirectory({ TOOLOUT_DATA_DIR: "/store", XDG_DATA_HOME: "/x" })).toBe("/store");
  expect(await dataDirectory({ TOOLOUT_DATA_DIR: "store" })).toBe(join(process.cwd(), "store"));
  expect(await dataDirectory({ TOOLOUT_DATA_DIR: "", XDG_DATA_HOME: "/x" })).toBe("/x/toolout");
});
