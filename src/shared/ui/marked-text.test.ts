import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markedParts } from './marked-text.tsx'

test('marked parts make up the text again, and a hit holds nothing but words', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }), (text, words) => {
      const lower = words.map((word) => word.toLowerCase())
      const parts = markedParts(text, lower)
      expect(parts.map(({ part }) => part).join('')).toBe(text)
      for (const { part, hit } of parts)
        if (hit) expect(lower.some((word) => word !== '' && part.toLowerCase().includes(word))).toBe(true)
    }),
  )
  expect(markedParts('仅使用 V1 签名', ['签名', 'v1'])).toEqual([
    { part: '仅使用 ', hit: false, from: 0 },
    { part: 'V1', hit: true, from: 4 },
    { part: ' ', hit: false, from: 6 },
    { part: '签名', hit: true, from: 7 },
  ])
})
