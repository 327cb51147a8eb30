import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toHex, utf8 } from './bytes.ts'
import { Sm3 } from './sm3.ts'

test('SM3 in parts gives the digests of GB/T 32905-2016, annex A', () => {
  expect(toHex(new Sm3().update(utf8('abc')).digest())).toBe(
    '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0',
  )
  expect(toHex(new Sm3().update(utf8('abcd'.repeat(16))).digest())).toBe(
    'debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732',
  )
})

test('SM3 in any parts is what OpenSSL says of the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 150 }), { maxLength: 6 }), (parts) => {
      const sum = new Sm3()
      for (const part of parts) sum.update(part)
      expect(toHex(sum.digest())).toBe(createHash('sm3').update(Buffer.concat(parts)).digest('hex'))
    }),
  )
})
