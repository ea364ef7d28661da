import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapCommand } from "../../src/hooks/wrap.ts";

const bash = { shell: "bash", keepsDirectory: false };
const keeping = { shell: "bash", keepsDirectory: true };

describe("wrapCommand", () => {
  it.each([
    ["npm test", "toolout run -- bash -c 'npm test'"],
    ["ls", "toolout run -- bash -c ls"],
    ["echo 'a b'", "toolout run -- bash -c 'echo '\\''a b'\\'''"],
    ["A=1 make 2>&1 | tail", "toolout run -- bash -c 'A=1 make 2>&1 | tail'"],
    ["cat <<'X'\na\nX\n", "toolout run -- bash -c 'cat <<'\\''X'\\''\na\nX\n'"],
    ["toolouts", "toolout run -- bash -c toolouts"],
    ["grep toolout x", "toolout run -- bash -c 'grep toolout x'"],
    ["echo a | toolout pipe; make", "toolout run -- bash -c 'echo a | toolout pipe; make'"],
  ])("runs %j", (command, wrapped) => {
    expect(wrapCommand(command, bash)).toBe(wrapped);
  });

  it.each([
    "",
    " \n",
    "toolout run -- make",
    "/usr/bin/toolout read last",
    "X=1 toolout run -- a && b",
    "make 2>&1 | toolout pipe --max-lines 5",
    "make |& toolout pipe\n",
    "a\0b",
  ])("leaves %j alone", (command) => {
    expect(wrapCommand(command, bash)).toBeNull();
    expect(wrapCommand(command, keeping)).toBeNull();
  });

  it.each([
    ["cd web && npm test", "cd web && toolout run -- bash -c 'npm test'"],
    ["cd 'a b' ; cd -- \"c d\"\n make all", "cd 'a b' ; cd -- \"c d\"\n toolout run -- bash -c 'make all'"],
    ["cd $HOME/x && ls", "cd $HOME/x && toolout run -- bash -c ls"],
    ["(cd web && make all)", "toolout run -- bash -c '(cd web && make all)'"],
    ["grep cd x", "toolout run -- bash -c 'grep cd x'"],
    ["cdparanoia -B", "toolout run -- bash -c 'cdparanoia -B'"],
  ])("keeps the directory that %j ends in", (command, wrapped) => {
    expect(wrapCommand(command, keeping)).toBe(wrapped);
  });

  it.each([
    "cd",
    "cd web",
    "cd web && ",
    "make && cd web",
    "make; pushd x; make",
    "cd $(git root) && make",
    "cd web || exit",
    "if true; then cd x; fi",
    "cd web && toolout run -- make",
    "true\ncd x",
    "{ cd x; make; }",
    "builtin cd x",
  ])("leaves %j to a shell that keeps its directory", (command) => {
    expect(wrapCommand(command, keeping)).toBeNull();
  });

  it("passes the profile on", () => {
    expect(wrapCommand("ls", { ...bash, profile: "my agent" })).toBe("toolout run --profile 'my agent' -- bash -c ls");
  });

  it("gives the shell what the agent wrote, whatever it is", () => {
    const text = fc.string({
      unit: fc.constantFrom("'", '"', "\\", "$", "`", "\n", " ", "a", "é", "!", "*", ";", "\r"),
    });
    fc.assert(
      fc.property(text, (written) => {
        const wrapped = wrapCommand(`: ${written}`, bash) as string;
        const words = execFileSync("sh", ["-c", `toolout() { printf '%s\\0' "$@"; }; ${wrapped}`], {
          encoding: "utf8",
        });
        expect(words.split("\0")).toEqual(["run", "--", "bash", "-c", `: ${written}`, ""]);
      }),
      { numRuns: 60 },
    );
  });
});
