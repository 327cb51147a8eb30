import sharp, { type CreateRaw } from 'sharp'
import { expect, test } from 'vitest'
import { pngOf } from '#engines/icon/plain-png.ts'
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

test('data that is no WebP picture, or names too many pixels, decodes to null', () => {
  expect(decodeWebp(new Uint8Array())).toBeNull()
  expect(decodeWebp(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))).toBeNull()
  expect(decodeWebp(pngOf({ width: 1, height: 1, data: new Uint8ClampedArray(4) }))).toBeNull()
  expect(decodeWebp(Buffer.from('RIFF____WEBP'))).toBeNull()
  const huge = Buffer.from(SOUND)
  // 16,384 by 16,384 pixels.
  huge.writeUInt32LE(0x0fffffff, 21)
  expect(decodeWebp(huge)).toBeNull()
})

test('an animation is not decoded as a still picture', async () => {
  const pixels = Buffer.from(Array.from({ length: 8 * 16 * 4 }, (_, at) => (at < 256 ? 200 : 40)))
  const webp = (raw: CreateRaw) => sharp(pixels, { raw }).webp().toBuffer()
  expect(decodeWebp(await webp({ width: 8, height: 16, channels: 4 }))).toMatchObject({ width: 8, height: 16 })
  expect(decodeWebp(await webp({ width: 8, height: 16, channels: 4, pageHeight: 8 }))).toBeNull()
})
