import { expect, test } from 'vitest'
import { decodeWebp } from './webp-decoder.ts'

/** 48 by 48, lossless. */
const SOUND = Buffer.from(
  'UklGRjgAAABXRUJQVlA4TCwAAAAvL8ALEBcwIAKBJMTRRxILJkPJ/wpx/gPeDWTSNjE5k1W7M6L/E7B7VhXwCQ==',
  'base64',
)

test('a picture that breaks the decoder leaves the next one as it is', () => {
  const sound = decodeWebp(SOUND)
  expect(sound).toMatchObject({ width: 48, height: 48 })
  for (let at = 12; at < SOUND.length; at++)
    for (const value of [0, 0xff]) {
      const broken = Buffer.from(SOUND)
      broken[at] = value
      decodeWebp(broken)
      expect(decodeWebp(SOUND)).toEqual(sound)
    }
})

test('data that is no picture, or names more pixels than the memory holds, decodes to null', () => {
  expect(decodeWebp(new Uint8Array())).toBeNull()
  expect(decodeWebp(Buffer.from('RIFF____WEBP'))).toBeNull()
  const huge = Buffer.from(SOUND)
  // 16,384 by 16,384 pixels.
  huge.writeUInt32LE(0x0fffffff, 21)
  expect(decodeWebp(huge)).toBeNull()
})
