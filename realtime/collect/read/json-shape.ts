import { ProductError } from '#contracts/errors.ts'

/**
 * Limits a JSON body before objects are built from it: JSON.parse needs 15 times as long for a body of brackets as for events, and
 * memory for each value. Events hold few structural characters, so a random sample of the bytes finds bodies of another kind; only
 * those are scanned.
 */

/** Nesting of a batch: events in an array in an object, custom fields included. */
const MOST_LEVELS = 64
/** Values of an event on average over its batch; the format has 23 fields, and `detail` at most 16 kB. */
const VALUES_PER_EVENT = 256
/** Below this size even the densest body is parsed within a millisecond. */
const SCAN_BYTES = 16 * 1024
const SAMPLES = 256
/** Share of structural characters from which on a body is scanned; events have 0.05. */
const DENSE = 0.2

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 1
const OPEN = 2
const CLOSE = 3
const TEXT = 4
const KIND = new Uint8Array(256)
for (const [character, kind] of [
  [',', COMMA],
  ['[', OPEN],
  ['{', OPEN],
  [']', CLOSE],
  ['}', CLOSE],
  ['"', TEXT],
] as const)
  KIND[character.charCodeAt(0)] = kind

/** Limits of one batch. `lines`: NDJSON, one event a line. */
export type ShapeLimits = { lines: boolean; events: number }

/**
 * Throws ProductError request.too_large for more events than allowed, and collect.unreadable for more values or levels, both without
 * building anything. `always`: scans without sampling first. `random` returns numbers in [0, 1).
 */
export function checkJsonShape(bytes: Uint8Array, limits: ShapeLimits, always = false, random = Math.random): void {
  if (bytes.length < SCAN_BYTES) return
  if (always || isDense(bytes, random)) scan(bytes, limits)
}

/** Positions are random, so that a sender cannot place dense parts between them. */
function isDense(bytes: Uint8Array, random: () => number): boolean {
  let structural = 0
  for (let n = 0; n < SAMPLES; n++) {
    const kind = KIND[bytes[Math.floor(random() * bytes.length)] as number] as number
    if (kind !== 0 && kind !== TEXT) structural++
  }
  return structural > SAMPLES * DENSE
}

function scan(bytes: Uint8Array, { lines, events }: ShapeLimits): void {
  const mostValues = events * VALUES_PER_EVENT
  // In an array events are separated at depth 1, in {"events": [...]} at depth 2; of NDJSON each opens at depth 0.
  const eventDepth = lines ? -1 : bytes.find((byte) => KIND[byte] === OPEN) === '['.charCodeAt(0) ? 1 : 2
  let depth = 0
  let values = 0
  let found = lines ? 0 : 1
  for (let i = 0; i < bytes.length; i++) {
    const kind = KIND[bytes[i] as number]
    if (kind === 0) continue
    if (kind === TEXT) {
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++
      continue
    }
    if (kind === CLOSE) {
      depth--
      continue
    }
    values++
    if (kind === COMMA && depth === eventDepth) found++
    if (kind === OPEN) {
      if (lines && depth === 0) found++
      depth++
    }
    if (found > events) throw new ProductError('request.too_large', {}, { limit: events })
    if (depth > MOST_LEVELS)
      throw new ProductError('collect.unreadable', { detail: `nested deeper than ${MOST_LEVELS} levels` })
    if (values > mostValues) throw new ProductError('collect.unreadable', { detail: `more than ${mostValues} values` })
  }
}
