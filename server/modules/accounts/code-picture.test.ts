import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { drawCodePicture } from './code-picture.ts'

const seeded = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}
/** Dark pixels in each of `parts` columns. */
function darkness(png: Buffer, parts: number): number[] {
  const length = png.readUInt32BE(33)
  const rows = inflateSync(png.subarray(41, 41 + length))
  const counts = Array.from({ length: parts }, () => 0)
  for (let y = 0; y < 60; y++)
    for (let x = 0; x < 180; x++) {
      const at = y * (180 * 3 + 1) + 1 + x * 3
      const sum = (rows[at] as number) + (rows[at + 1] as number) + (rows[at + 2] as number)
      if (sum < 330) counts[Math.floor((x * parts) / 180)] = (counts[Math.floor((x * parts) / 180)] as number) + 1
    }
  return counts
}

test('[LOGIN-02] the verification picture is a PNG of pixels with every character drawn and the code nowhere in clear', () => {
  const png = drawCodePicture('K7WXP', seeded(1))
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([180, 60])
  expect(png.toString('latin1')).not.toMatch(/K7WXP|tEXt|iTXt/i)
  for (const dark of darkness(png, 5)) expect(dark).toBeGreaterThan(60)
})

test('[LOGIN-02] two pictures of one code share few pixels', () => {
  const [one, two] = [drawCodePicture('K7WXP', seeded(1)), drawCodePicture('K7WXP', seeded(2))]
  expect(one.equals(two)).toBe(false)
  expect(drawCodePicture('k7wxp', seeded(1)).equals(one)).toBe(true)
})
