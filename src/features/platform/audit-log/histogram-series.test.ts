import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spanOfSlots } from '#src/shared/charts/time-series.ts'
import { seriesOfHistogram } from './histogram-series.ts'

const HOUR = 3_600_000

test('[LOG-01] spans without entries are slots of their own, and refusals lie on what succeeded', () => {
  const from = Date.parse('2026-11-20T16:00:00Z')
  const series = seriesOfHistogram(
    {
      width: 3 * HOUR,
      spans: [
        { at: from + 3 * HOUR, ok: 2, refused: 1 },
        { at: from + 9 * HOUR, ok: 0, refused: 4 },
      ],
    },
    { from: from + HOUR, to: from + 11 * HOUR },
  )
  expect(series?.starts).toEqual([0, 3, 6, 9].map((hours) => from + hours * HOUR))
  expect(series?.stacks.get('ok')).toEqual([0, 2, 0, 0])
  expect(series?.stacks.get('refused')).toEqual([0, 1, 0, 4])
  expect(series?.totals).toEqual([0, 3, 0, 4])
  // A slot is three hours wide, whatever the bucket is called; the period bounds the outer ones.
  expect(series && spanOfSlots(series, 1, 1)).toEqual({ from: from + 3 * HOUR, to: from + 6 * HOUR })
  expect(series && spanOfSlots(series, 3, 3)).toEqual({ from: from + 9 * HOUR, to: from + 11 * HOUR })
})

test('[LOG-01] a period without entries has no series', () => {
  expect(seriesOfHistogram({ width: HOUR, spans: [] }, { from: 0, to: HOUR })).toBeNull()
})

test('[LOG-01] no entry is lost between the histogram and its series', () => {
  const counts = fc.array(fc.record({ step: fc.integer({ min: 0, max: 70 }), ok: fc.nat(99), refused: fc.nat(99) }), {
    minLength: 1,
    maxLength: 20,
  })
  fc.assert(
    fc.property(counts, fc.integer({ min: 0, max: HOUR - 1 }), (list, offset) => {
      const spans = [...new Map(list.map((one) => [one.step, one])).values()]
        .sort((x, y) => x.step - y.step)
        .map(({ step, ok, refused }) => ({ at: 1e12 + step * HOUR, ok, refused }))
      const first = spans[0]?.at ?? 0
      const series = seriesOfHistogram({ width: HOUR, spans }, { from: first + offset, to: first + offset + HOUR })
      const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
      expect(sum(series?.totals ?? [])).toBe(sum(spans.map(({ ok, refused }) => ok + refused)))
    }),
  )
})
