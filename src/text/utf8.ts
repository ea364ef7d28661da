/**
 * Where characters begin and end in bytes that may be UTF-8, wholly, partly or not at all.
 * Well-formed sequences are those of Unicode table 3-7; an ill-formed one is taken apart as the WHATWG decoder does
 * (its longest sensible beginning becomes one U+FFFD), so that counts here agree with what a reader will decode.
 */

/** Bytes of the character, or of the ill-formed sequence that decodes to one U+FFFD, that begins at `at` (at least 1). */
export function characterBytes(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  const length = sequenceBytes(lead);
  for (let i = 1; i < length; i += 1) {
    if (at + i >= bytes.length || !continues(lead, i, bytes[at + i] as number)) return i;
  }
  return length;
}

/** UTF-16 code units that the character (or ill-formed sequence) of `length` bytes beginning at `at` decodes to. */
export function characterUnits(bytes: Uint8Array, at: number, length: number): 1 | 2 {
  return length === 4 && sequenceBytes(bytes[at] as number) === 4 ? 2 : 1;
}

/** The last character border at or before `index`. At the end of the bytes, a character that only began is left out. */
export function borderBefore(bytes: Uint8Array, index: number): number {
  for (let at = index - 1; at >= Math.max(0, index - 3); at -= 1) {
    const length = sequenceBytes(bytes[at] as number);
    if (length === 1) continue;
    const present = characterBytes(bytes, at);
    const isCharacter = present === length || at + present === bytes.length;
    return isCharacter && at + length > index ? at : index;
  }
  return index;
}

/** The first character border at or after `index`; never past the end of the bytes. */
export function borderAfter(bytes: Uint8Array, index: number): number {
  const before = borderBefore(bytes, index);
  return before === index ? index : Math.min(bytes.length, before + characterBytes(bytes, before));
}

/** UTF-16 code units that the bytes decode to. */
export function utf16Units(bytes: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8").length;
}

/** Length of the longest run of whole characters from the start of the bytes that is at most `units` UTF-16 units. */
export function prefixWithin(bytes: Uint8Array, units: number): number {
  let left = units;
  let at = 0;
  while (at < bytes.length) {
    const length = characterBytes(bytes, at);
    left -= characterUnits(bytes, at, length);
    if (left < 0) break;
    at += length;
  }
  return at;
}

/** Start of the longest run of whole characters at the end of the bytes that is at most `units` UTF-16 units. */
export function suffixWithin(bytes: Uint8Array, units: number): number {
  let left = units;
  let start = bytes.length;
  while (start > 0) {
    const previous = previousStart(bytes, start);
    left -= characterUnits(bytes, previous, start - previous);
    if (left < 0) break;
    start = previous;
  }
  return start;
}

/** Where the character (or ill-formed sequence) that ends at `end` begins. */
function previousStart(bytes: Uint8Array, end: number): number {
  for (let at = end - 1; at >= Math.max(0, end - 4); at -= 1) {
    if (sequenceBytes(bytes[at] as number) > 1) return at + characterBytes(bytes, at) >= end ? at : end - 1;
  }
  return end - 1;
}

/** Bytes of the sequence that a lead byte promises; 1 for ASCII and for bytes that lead nothing. */
function sequenceBytes(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Unicode table 3-7: the second byte has narrower ranges after E0, ED, F0 and F4. */
function continues(lead: number, position: number, byte: number): boolean {
  if (position === 1) {
    if (lead === 0xe0) return byte >= 0xa0 && byte <= 0xbf;
    if (lead === 0xed) return byte >= 0x80 && byte <= 0x9f;
    if (lead === 0xf0) return byte >= 0x90 && byte <= 0xbf;
    if (lead === 0xf4) return byte >= 0x80 && byte <= 0x8f;
  }
  return byte >= 0x80 && byte <= 0xbf;
}
