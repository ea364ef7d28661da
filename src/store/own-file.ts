import { closeSync, fstatSync, futimesSync, unlinkSync } from "node:fs";
import { createPrivateFile } from "./file.ts";

/** A file that this process made and, until the commit, may remove. */
export class OwnFile {
  readonly path: string;
  fd: number;

  constructor(path: string) {
    this.path = path;
    this.fd = createPrivateFile(path);
  }

  touch(): void {
    try {
      futimesSync(this.fd, Date.now() / 1000, Date.now() / 1000);
    } catch {
      // The next write will tell.
    }
  }

  /** Closes the file when it still is what was written. close(2) is where some file systems tell of a full disk. */
  close(bytes: number): void {
    const { size, nlink } = fstatSync(this.fd);
    if (nlink === 0) throw new Error("somebody removed the file while it was written");
    if (size !== bytes) throw new Error(`the file has ${size} bytes, not the ${bytes} written`);
    const { fd } = this;
    this.fd = -1;
    closeSync(fd);
  }

  /** Closes and removes the file. Never throws. */
  discard(): void {
    quietly(() => closeSync(this.fd));
    quietly(() => unlinkSync(this.path));
  }
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // Nothing is left to be done.
  }
}
