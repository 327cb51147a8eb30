import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSolution, proofText, readProof, solveChallenge } from './proof-of-work.ts'

const nonceOf = (seed: number) => createHash('sha256').update(String(seed)).digest('base64url').slice(0, 22)
const zeroBits = (nonce: string, solution: number) => {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(solution)
  const bits = [...createHash('sha256').update(nonce).update(number).digest()].map((byte) =>
    byte.toString(2).padStart(8, '0'),
  )
  return bits.join('').indexOf('1')
}

test('a solution has the zero bits that an independent SHA-256 counts, and no smaller number does', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 9 }), (seed, bits) => {
      const nonce = nonceOf(seed)
      const solution = solveChallenge({ nonce, bits })
      expect(zeroBits(nonce, solution)).toBeGreaterThanOrEqual(bits)
      for (let smaller = 0; smaller < solution; smaller++) expect(zeroBits(nonce, smaller)).toBeLessThan(bits)
      expect(isSolution({ nonce, bits: zeroBits(nonce, solution) + 1 }, solution)).toBe(false)
    }),
    { numRuns: 50 },
  )
})

test('the header gives back challenge and solution; anything else is no proof', () => {
  const challenge = { nonce: nonceOf(1), bits: 16, expires: 1_800_000_000_000, mac: 'm'.repeat(43) }
  const text = proofText(challenge, 70_123)
  expect(readProof(text)).toEqual({ challenge, solution: 70_123 })
  for (const bad of ['', 'a.b.c.d.e', ` ${text}`, `${text}.1`, text.replace('.16.', '.-1.'), text.slice(1)])
    expect(readProof(bad), bad).toBeUndefined()
  fc.assert(fc.property(fc.string(), (any) => void readProof(any)))
})

test('a challenge that would take minutes is not begun', () => {
  expect(() => solveChallenge({ nonce: nonceOf(1), bits: 25 })).toThrow(RangeError)
})
