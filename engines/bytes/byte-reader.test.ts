import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader } from './byte-reader.ts'
import { FormatError } from './format-error.ts'

/** LEB128 as the DEX format defines it, written independently. */
function uleb(value: number): number[] {
  const bytes: number[] = []
  let left = value >>> 0
  do {
    bytes.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0))
    left >>>= 7
  } while (left)
  return bytes
}
function sleb(value: number): number[] {
  const bytes: number[] = []
  for (let left = value | 0; ; ) {
    const byte = left & 0x7f
    left >>= 7
    const done = (left === 0 && !(byte & 0x40)) || (left === -1 && byte & 0x40)
    bytes.push(done ? byte : byte | 0x80)
    if (done) return bytes
  }
}

test('LEB128 round trips over all 32-bit values', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 0xffffffff }),
      (n) => new ByteReader(Uint8Array.from(uleb(n)), 't').uleb128() === n,
    ),
  )
  fc.assert(
    fc.property(
      fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      (n) => new ByteReader(Uint8Array.from(sleb(n)), 't').sleb128() === n,
    ),
  )
})

test('reads by byte order, through a view that does not begin at zero', () => {
  const bytes = Uint8Array.from([9, 9, 1, 2, 3, 4, 5, 6, 7, 8]).subarray(2)
  expect(new ByteReader(bytes, 't').u32()).toBe(0x04030201)
  expect(new ByteReader(bytes, 't', { littleEndian: false }).u32()).toBe(0x01020304)
  expect(new ByteReader(bytes, 't', { littleEndian: false }).u64()).toBe(0x0102030405060708n)
})

test('whatever is asked of whatever bytes, only FormatError is thrown and nothing outside is read', () => {
  const step = fc.constantFrom(
    'u8',
    'i8',
    'u16',
    'i16',
    'u32',
    'i32',
    'u64',
    'size64',
    'uleb128',
    'sleb128',
    'slice',
    'skip',
    'seek',
  )
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 40 }),
      fc.array(fc.tuple(step, fc.integer({ min: -5, max: 60 })), { maxLength: 30 }),
      (bytes, steps) => {
        const reader = new ByteReader(bytes, 't')
        for (const [name, n] of steps) {
          try {
            if (name === 'slice' || name === 'skip' || name === 'seek') reader[name](n)
            else reader[name]()
          } catch (error) {
            if (!(error instanceof FormatError)) throw error
          }
          if (reader.position < 0 || reader.position > bytes.length) return false
        }
        return true
      },
    ),
  )
})
