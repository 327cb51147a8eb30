import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnswerOf } from '#domain/query.ts'
import { originRows } from './origin-rows.ts'

const top = (groups: [string, number][], others = 0): AnswerOf<'top'> => ({
  kind: 'top',
  groups: groups.map(([key, attacks]) => ({ key, row: { attacks } })),
  groupCount: groups.length,
  others: { attacks: others },
})

test('[STAT-02] places add up to the whole: provinces, the rest of them, abroad, no place', () => {
  const provinces = top([
    ['440000', 50],
    ['', 38],
    ['330000', 30],
    ['320000', 20],
  ])
  const countries = top([
    ['CN', 105],
    ['SG', 20],
    ['', 10],
    ['US', 3],
  ])
  const abroad = { kind: 'total' as const, row: { attacks: 23 } }
  const parts = { provinces, countries, abroad }
  expect(originRows(parts, 'attacks', { shown: 2, additive: false }).map((row) => [row.kind, row.value])).toEqual([
    ['province', 50],
    ['province', 30],
    ['others', null],
    ['abroad', 23],
    ['none', 10],
  ])
  expect(originRows(parts, 'attacks', { shown: 2, additive: true })).toEqual([
    { kind: 'province', code: '440000', value: 50 },
    { kind: 'province', code: '330000', value: 30 },
    { kind: 'others', provinces: 1, value: 20 },
    { kind: 'unknown', value: 5 },
    { kind: 'abroad', value: 23 },
    { kind: 'none', value: 10 },
  ])
})

test('no event is counted twice or left out', () => {
  const count = fc.nat(10_000)
  fc.assert(
    fc.property(
      fc.array(count, { maxLength: 34 }),
      count,
      count,
      count,
      fc.integer({ min: 1, max: 40 }),
      (known, unknown, abroad, none, shown) => {
        const provinces = top([
          ...known.map((n, i): [string, number] => [`${110000 + i}`, n]),
          ['', unknown + abroad + none],
        ])
        const inChina = known.reduce((a, b) => a + b, 0) + unknown
        const countries = top([
          ['CN', inChina],
          ['JP', abroad],
          ['', none],
        ])
        const rows = originRows(
          { provinces, countries, abroad: { kind: 'total', row: { attacks: abroad } } },
          'attacks',
          { shown, additive: true },
        )
        expect(rows.reduce((total, row) => total + (row.value ?? 0), 0)).toBe(inChina + abroad + none)
      },
    ),
  )
})
