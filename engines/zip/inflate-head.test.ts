import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inflateHead } from './inflate-head.ts'

/** What zlib gives of the same bytes, as far as they go. */
function byZlib(packed: Uint8Array, length: number): Uint8Array {
  try {
    return new Uint8Array(inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, length))
  } catch {
    return new Uint8Array()
  }
}

const content = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc.string({ maxLength: 500 }).map((text) => new TextEncoder().encode(text.repeat(5))),
  fc.array(fc.constantFrom(1, 2, 3, 200), { maxLength: 2000 }).map((values) => Uint8Array.from(values)),
)
const packing = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FIXED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_FILTERED,
    constants.Z_RLE,
  ),
})

describe('[DET-03] the begin of deflated data', () => {
  test('is what was packed, whatever the blocks are', () => {
    fc.assert(
      fc.property(content, packing, fc.integer({ min: 0, max: 4096 }), (bytes, how, length) => {
        expect(inflateHead(deflateRawSync(bytes, how), length)).toEqual(bytes.subarray(0, length))
      }),
    )
  })

  test('is what zlib unpacks of input that ends anywhere', () => {
    fc.assert(
      fc.property(content, packing, fc.nat(400), (bytes, how, cut) => {
        const packed = deflateRawSync(bytes, how).subarray(0, cut)
        expect(inflateHead(packed, 5000)).toEqual(byZlib(packed, 5000))
      }),
    )
  })

  test('of changed bytes and of noise is what zlib unpacks, or nothing', () => {
    const noise = fc.uint8Array({ maxLength: 300 })
    const changed = fc
      .tuple(content, packing, fc.nat(), fc.integer({ min: 1, max: 255 }))
      .map(([bytes, how, at, mask]) => {
        const packed = new Uint8Array(deflateRawSync(bytes, how))
        packed[at % packed.length]! ^= mask
        return packed
      })
    fc.assert(
      fc.property(fc.oneof(noise, changed), (packed) => {
        expect(inflateHead(packed, 100_000)).toEqual(byZlib(packed, 100_000))
      }),
      { numRuns: 1000 },
    )
  })
})
