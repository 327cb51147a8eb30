import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Cell, csvLine } from './csv.ts'
import { zonedTime } from './zoned-time.ts'

/** Any code points, lone surrogates too. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 20 })
  .map((codes) => codes.map((code) => String.fromCodePoint(code)).join(''))

/** Reads one CSV line as a spreadsheet does. */
function read(line: string): string[] {
  const cells: string[] = []
  let at = 0
  for (;;) {
    let cell = ''
    if (line[at] === '"') {
      for (at++; line[at] !== '"' || line[at + 1] === '"'; at++) {
        if (line[at] === '"') at++
        cell += line[at]
      }
      at++
    } else for (; at < line.length && line[at] !== ',' && !line.startsWith('\r\n', at); at++) cell += line[at]
    cells.push(cell)
    if (line[at] !== ',') break
    at++
  }
  expect(line.slice(at)).toBe('\r\n')
  return cells
}

test('[STAT-02] a CSV line reads back as its cells, and no text cell begins like a formula', () => {
  const text = fc.oneof(
    anyText,
    fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ' ', 'a') }),
  )
  const cell: fc.Arbitrary<Cell> = fc.oneof(text, fc.double({ noNaN: true }), fc.boolean(), fc.constant(null))
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 8 }), (cells) => {
      const back = read(csvLine(cells))
      expect(back.length).toBe(cells.length)
      cells.forEach((one, index) => {
        const got = back[index] as string
        if (typeof one !== 'string') expect(got).toBe(one === null ? '' : String(one))
        else {
          expect(got === one || got === `'${one}`).toBe(true)
          expect(got).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
        }
      })
    }),
    { numRuns: 500 },
  )
})

test('negative numbers stay numbers, texts that look like commands do not', () => {
  expect(csvLine([-178.4, '-178.4', "=1+1|' /C calc'!A0", '＝1', '普通'])).toBe(
    `-178.4,'-178.4,'=1+1|' /C calc'!A0,'＝1,普通\r\n`,
  )
})

test('times carry the offset of the zone at that time', () => {
  const at = Date.UTC(2026, 6, 1, 12, 0, 0, 5)
  expect(zonedTime(at, 'Asia/Shanghai')).toBe('2026-07-01T20:00:00.005+08:00')
  expect(zonedTime(at, 'America/New_York')).toBe('2026-07-01T08:00:00.005-04:00')
  expect(zonedTime(at, 'Asia/Kolkata')).toBe('2026-07-01T17:30:00.005+05:30')
  expect(zonedTime(null, 'UTC')).toBe('')
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.constantFrom('Asia/Shanghai', 'America/New_York', 'UTC'),
      (time, zone) => {
        expect(Date.parse(zonedTime(time, zone))).toBe(time)
      },
    ),
  )
})
