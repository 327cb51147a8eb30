/**
 * A journal batch in bytes, little endian:
 *
 *     head        u8 format, u8 flags, u8 coding of keys, u8 coding of text, u32 events, f64 at,
 *                 u32 bytes of keys, of words, of text, of quarantine
 *     rows        ROW_BYTES an event: numbers, numbers of its words, lengths of address and extra
 *     keys        id (36 characters), device (32) and user (32, where there is one) of each event
 *     words       texts that events share (version, channel …), each with its coding (u8) and bytes (u16)
 *     text        address (unless it is the one of the event before) and extra of each event
 *     quarantine  JSON
 *
 * Ids stay text: copying characters is cheaper than turning them into numbers and back. An event that no row can hold (a number out of
 * range, a device that is no hash) is stored in the text as JSON.
 */
export const BINARY_FORMAT = 1
export const HEAD_BYTES = 32
export const ROW_BYTES = 88
export const ID_LENGTH = 36
export const HASH_LENGTH = 32

/** Places in the head. */
// biome-ignore format: one line reads as the layout
export const HEAD = { format: 0, flags: 1, keysCoding: 2, textCoding: 3, events: 4, at: 8, keys: 16, words: 20, text: 24, quarantine: 28 } as const
export const FLAGS = { import: 1, quarantined: 2 } as const

/** Offsets in a row. `length`: characters of an event that is JSON, in place of everything after it. */
// biome-ignore format: one line reads as the layout
export const ROW = { nulls: 0, type: 1, risk: 2, level: 3, action: 4, platform: 5, placeSource: 6, placePrecision: 7, flags: 8,
  address: 10, extra: 12, group: 14, app: 16, length: 16, site: 20, province: 24, city: 28, occurredAt: 32, receivedAt: 40, reportedAt: 48,
  lon: 56, lat: 64, words: 72 } as const
/** Bits of ROW.nulls; without `grouped` ROW.group means nothing. */
export const NULLS = { user: 1, reportedAt: 2, lon: 4, lat: 8, grouped: 16, json: 128 } as const
/** ROW.address where it is the one of the event before. */
export const SAME_ADDRESS = 0xffff
/** Numbers of words are u16. */
export const MAX_WORDS = 0xffff

/** How a text is written. Not all of what JavaScript calls a string has UTF-8: halves of character pairs stand as UTF-16. */
export const CODINGS = ['latin1', 'utf8', 'utf16le'] as const
export const ASCII = 0
export const UTF8 = 1
export const UTF16 = 2
