import { execa } from "execa";

/**
 * Opens a file in the user's editor and waits for it; the status is the editor's, 1 when a signal ended it.
 * @param command What VISUAL or EDITOR hold, arguments and all, for the shell to take apart as git(1) has it done.
 */
export async function runEditor(command: string, file: string): Promise<number> {
  const result = await execa("sh", ["-c", `${command} "$@"`, command, file], { stdio: "inherit", reject: false });
  return result.exitCode ?? 1;
}
