import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { duckDialect, lit } from './dialect.ts'

let instance: DuckDBInstance
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
})
afterAll(() => instance.closeSync())

const HOSTILE = [
  "'",
  "''",
  "\\'",
  "' OR 1=1 --",
  "'); DROP TABLE events; --",
  '/*',
  '--',
  '$$',
  '\0',
  "\0'",
  "x'\0'y",
  '\u02bc',
  '；',
]

test('whatever a text holds, DuckDB reads its literal as that text and as nothing else', async () => {
  const connection = await instance.connect()
  const text = fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom("'", '\\', '\0', '-', 'a', '"') }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (texts) => {
      const reader = await connection.runAndReadAll(`SELECT ${texts.map((one) => lit(one)).join(', ')}`)
      expect(reader.getRows()).toEqual([texts])
    }),
    { numRuns: 100 },
  )
  connection.closeSync()
})

test('what is no number and no id makes no literal', () => {
  const { uuid } = duckDialect({ find: () => undefined, textOf: String, count: () => 0 })
  for (const one of [Number.NaN, Number.POSITIVE_INFINITY]) expect(() => lit(one)).toThrow(RangeError)
  for (const hex of ["' OR 1=1", '0'.repeat(31), 'g'.repeat(32), '']) expect(() => uuid(hex)).toThrow(RangeError)
})
