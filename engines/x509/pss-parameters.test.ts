import fc from 'fast-check'
import { expect, test } from 'vitest'
import { der, integer, oid, sequence } from '#tests/support/apk/der-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readNode } from './der.ts'
import { readPssParameters } from './pss-parameters.ts'

const SHA1 = '1.3.14.3.2.26'
const SHA256 = '2.16.840.1.101.3.4.2.1'
const read = (...fields: Uint8Array[]) => readPssParameters(readNode(sequence(...fields)))
const whole = [
  der(0xa0, sequence(oid(SHA256))),
  der(0xa1, sequence(oid('1.2.840.113549.1.1.8'), sequence(oid(SHA256)))),
  der(0xa2, integer(1, 0)),
  der(0xa3, integer(1)),
]

test('what is left out is what RFC 8017 says', () => {
  const plain = { hash: SHA1, maskHash: SHA1, saltLength: 20, trailer: 1 }
  expect(readPssParameters(undefined)).toEqual(plain)
  expect(readPssParameters(readNode(der(0x05)))).toEqual(plain)
  expect(read()).toEqual(plain)
  expect(read(...whole)).toEqual({ hash: SHA256, maskHash: SHA256, saltLength: 256, trailer: 1 })
})

test('another mask is no mask that is known, and a salt without sense none', () => {
  expect(read(der(0xa1, sequence(oid('1.2.3'))))).not.toHaveProperty('maskHash')
  expect(read(der(0xa2, integer(0x80))).saltLength).toBe(-1)
  expect(read(der(0xa2, integer(1, 2, 3, 4))).saltLength).toBe(-1)
})

test('whatever the bytes are, only FormatError is thrown', () => {
  const sound = sequence(...whole)
  fc.assert(
    fc.property(fc.nat(sound.length - 1), fc.nat(255), fc.nat(sound.length), (at, value, cut) => {
      const bytes = Buffer.from(sound)
      bytes[at] = value
      try {
        readPssParameters(readNode(bytes.subarray(0, bytes.length - (cut % 5))))
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
      }
    }),
    { numRuns: 2000 },
  )
})
