import { closeSync, fstatSync, ftruncateSync, unlinkSync } from "node:fs";
import { createPrivateFile, writeFully } from "./file.ts";

/** A file that this process made and, until the commit, may remove. */
export class OwnFile {
  readonly path: string;
  fd: number;

  constructor(path: string) {
    this.path = path;
    this.fd = createPrivateFile(path);
  }

  /** Fills the file with blanks: what replaces them later needs no more room on a full disk. */
  reserve(bytes: number): void {
    writeFully(this.fd, Buffer.alloc(bytes, " "), 0);
  }

  /** Makes a file of blanks young by the file system's clock; utimes(2) would set the process's. */
  touch(): void {
    quietly(() => writeFully(this.fd, Buffer.from(" "), 0)); // the commit will tell of trouble
  }

  /** Puts the text in place of what the file held. */
  replace(text: Uint8Array): void {
    writeFully(this.fd, text, 0);
    ftruncateSync(this.fd, text.length);
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
