import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ENROL_PROOF_BITS } from '#contracts/telemetry/wire.ts'
import { proofHolds } from '#realtime/collect/enrol/enrol.ts'
import { prefixHash, proofOfWork } from './proof-of-work.ts'

const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 200 })

test('[SDK-01] the plain script hashes as SHA-256 does, over every border of a block', () => {
  fc.assert(
    fc.property(ascii, fc.string({ unit: 'grapheme-ascii', maxLength: 20 }), (prefix, tail) => {
      const expected = createHash('sha256')
        .update(prefix + tail)
        .digest()
        .readUInt32BE(0)
      expect(prefixHash(prefix)(tail)).toBe(expected)
    }),
    { numRuns: 300 },
  )
  for (let length = 0; length <= 130; length++) {
    const prefix = 'x'.repeat(length)
    const expected = createHash('sha256').update(`${prefix}ab`).digest().readUInt32BE(0)
    expect(prefixHash(prefix)('ab')).toBe(expected)
  }
})

test('[SDK-01] a proof is what the collector asks for, found in slices', async () => {
  const key = `aw_ek_${'k'.repeat(43)}`
  const salt = 29_381_000
  let pauses = 0
  const pause = async () => {
    pauses++
  }
  const nonce = await proofOfWork(`${key}w-device${salt}`, ENROL_PROOF_BITS, pause)
  expect(proofHolds({ enrolment_key: key, device_id: 'w-device', proof: { salt, nonce } })).toBe(true)
  expect(pauses).toBeGreaterThan(0)
})
