/**
 * Finds where a secret may begin: the places of a text with the first three characters of some shape, in any case of
 * letters. One pass over the bytes, since every byte of an output comes by here: a pattern of all the beginnings did a
 * thirtieth of its speed.
 */
import { beginBytes, type Shape, shapes } from "./shapes.ts";

/** Bit 5 tells upper from lower case; other characters fall together as well, which only costs a second look. */
const caseBit = 0x20;
const caseBits = 0x202020;
const tableSize = 16_384;

const shapesByBeginning = new Map<number, Shape[]>();
for (const shape of shapes) {
  for (const key of new Set(shape.beginnings.map((text) => keyAt(Buffer.from(text), 0)))) {
    shapesByBeginning.set(key, [...(shapesByBeginning.get(key) ?? []), shape]);
  }
}

const isBeginning = new Uint8Array(tableSize);
for (const key of shapesByBeginning.keys()) isBeginning[slotOf(key)] = 1;

/** First and first two characters of the beginnings. */
const partial = new Set([...shapesByBeginning.keys()].flatMap((key) => [key >> 16, key >> 8]));

/** The first place at or after `from`; -1 when there is none. */
export function nextBeginning(bytes: Buffer, from: number): number {
  let key = 0;
  for (let at = from; at < bytes.length; at += 1) {
    key = ((key << 8) | (bytes[at] as number) | caseBit) & 0xffffff;
    if (isBeginning[slotOf(key)] === 1 && at - from >= beginBytes - 1 && shapesByBeginning.has(key)) {
      return at - beginBytes + 1;
    }
  }
  return -1;
}

/** The shapes to try at a place that was found. */
export function shapesAt(bytes: Buffer, at: number): readonly Shape[] {
  return shapesByBeginning.get(keyAt(bytes, at)) ?? [];
}

/** How many of the last bytes, two at most, may become a beginning with those that follow. */
export function unfinishedBytes(bytes: Buffer): number {
  const last = (bytes.at(-1) ?? 0) | caseBit;
  const lastTwo = (((bytes.at(-2) ?? 0) | caseBit) << 8) | last;
  if (bytes.length >= 2 && partial.has(lastTwo)) return 2;
  return bytes.length >= 1 && partial.has(last) ? 1 : 0;
}

function keyAt(bytes: Buffer, at: number): number {
  return bytes.readUIntBE(at, beginBytes) | caseBits;
}

function slotOf(key: number): number {
  return (key ^ (key >>> 9)) & (tableSize - 1);
}
