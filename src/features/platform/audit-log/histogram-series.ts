import type { LogHistogram } from '#contracts/http/audit-log.ts'
import type { Span } from '#domain/time-range.ts'
import type { TimeSeries } from '#src/shared/charts/time-series.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** A histogram laid out for the chart: a slot for every span that the period touches, empty ones included; null where all are empty. */
export function seriesOfHistogram({ width, spans }: LogHistogram, period: Span): TimeSeries | null {
  const [first] = spans
  const last = spans.at(-1)
  if (!first || !last) return null
  // What came after the period was set belongs to it as well: it reaches now.
  const end = Math.max(period.to, last.at + 1)
  // Spans begin at multiples of their width in the zone of the platform: one that is there says where the others begin.
  const begin = first.at - Math.max(0, Math.ceil((first.at - period.from) / width)) * width
  const count = Math.max(1, Math.ceil((end - begin) / width))
  const ok = Array.from({ length: count }, () => 0)
  const refused = [...ok]
  for (const span of spans) {
    const slot = Math.round((span.at - begin) / width)
    if (slot < 0 || slot >= count) continue
    ok[slot] = (ok[slot] ?? 0) + span.ok
    refused[slot] = (refused[slot] ?? 0) + span.refused
  }
  return {
    bucket: width >= DAY_MS ? 'day' : width >= HOUR_MS ? 'hour' : 'minute',
    width,
    span: { from: period.from, to: end },
    starts: ok.map((_, slot) => begin + slot * width),
    stacks: new Map([
      ['ok', ok],
      ['refused', refused],
    ]),
    totals: ok.map((value, slot) => value + (refused[slot] ?? 0)),
    previous: null,
  }
}
