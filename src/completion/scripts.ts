/**
 * What `toolout completion SHELL` prints: a function that hands the words up to the cursor to
 * `toolout completion SHELL -- WORD...` and gives its answer to the shell. The scripts know none of toolout's commands.
 */
import bash from "./toolout.bash?raw";
import fish from "./toolout.fish?raw";
import zsh from "./toolout.zsh?raw";

const scripts = { bash, zsh, fish };

export type Shell = keyof typeof scripts;

export const shells = Object.keys(scripts) as readonly Shell[];

export function isShell(text: string): text is Shell {
  return Object.hasOwn(scripts, text);
}

export function scriptFor(shell: Shell): string {
  return scripts[shell];
}
