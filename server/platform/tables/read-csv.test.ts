import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv } from './read-csv.ts'

test('quoted cells hold commas, quotes and line breaks; records know the line they begin on', () => {
  expect(readCsv('\ufeffa,b\r\n"x, ""y""\nz",2\n\n3,4')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x, "y"\nz', '2'] },
    { line: 5, cells: ['3', '4'] },
  ])
})

test('a quote that is never closed ends with the text instead of hanging or throwing', () => {
  expect(readCsv('a,"b\nc')).toEqual([{ line: 1, cells: ['a', 'b\nc'] }])
})

test('whatever cells are written quoted, the same cells are read', () => {
  const cell = fc.string({ maxLength: 20 }).map((text) => text.replace(/\r\n?/g, '\n'))
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 })
  fc.assert(
    fc.property(rows, (table) => {
      const text = table.map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join('\r\n')
      expect(readCsv(text).map(({ cells }) => cells)).toEqual(table)
    }),
  )
})
