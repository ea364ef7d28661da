import { isUtf8 } from "node:buffer";

/** Bytes as a JSON document carries them: UTF-8 text as a string, anything else as base64 with its name. */
export type Content = { content: string } | { content: string; encoding: "base64" };

export function encodeContent(bytes: Buffer): Content {
  if (isUtf8(bytes)) return { content: bytes.toString("utf8") };
  return { content: bytes.toString("base64"), encoding: "base64" };
}
