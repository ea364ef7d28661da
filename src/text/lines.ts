const LF = 0x0a;

/** Line feeds in the bytes. */
export function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i += 1) if (bytes[i] === LF) count += 1;
  return count;
}

/** Lines in the bytes: each ends at a line feed, and a last one without it counts too (a final one starts none). */
export function countLines(bytes: Uint8Array): number {
  const unfinished = bytes.length > 0 && bytes[bytes.length - 1] !== LF;
  return countLineFeeds(bytes) + Number(unfinished);
}
