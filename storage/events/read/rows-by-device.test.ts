import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowsByDevice } from './rows-by-device.ts'

const KEYS = 5000
const row = fc.tuple(
  fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: KEYS })),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
)

test('RowsByDevice sorts rows by device and then by time, across blocks and steps', () => {
  const rows = new RowsByDevice(KEYS)
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 400 }), { maxLength: 20 }), (blocks) => {
      rows.clear()
      for (const block of blocks)
        rows.add(
          Uint32Array.from(block, ([device]) => device),
          Uint32Array.from(block, ([, time]) => time),
          block.length,
        )
      rows.sort()
      const found = Array.from({ length: rows.count }, (_, at) => [rows.devices[at], rows.times[at]])
      expect(found).toEqual(blocks.flat().sort((a, b) => a[0] - b[0] || a[1] - b[1]))
    }),
    { numRuns: 40 },
  )
})
