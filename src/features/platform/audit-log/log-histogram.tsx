import { lazy, Suspense, useMemo } from 'react'
import type { LogHistogram as Histogram } from '#contracts/http/audit-log.ts'
import { absoluteRange, type Span } from '#domain/time-range.ts'
import { BarsSkeleton } from '#src/shared/charts/bars-skeleton.tsx'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { seriesOfHistogram } from './histogram-series.ts'
import { logTexts } from './log-texts.ts'

const TimeChart = lazy(() => import('#src/shared/charts/time-chart.tsx'))
const HEIGHT = 118

/** How many there were when, what was refused on top in the bad colour; a drag or Enter narrows the range. */
export function LogHistogram({
  histogram,
  span,
  title,
  onRange,
}: {
  /** Undefined while it is not there yet; null where it could not be read: the list says why. */
  histogram: Histogram | null | undefined
  span: Span
  title: string
  onRange: (range: string) => void
}) {
  const t = useTexts(logTexts)
  const series = useMemo(() => histogram && seriesOfHistogram(histogram, span), [histogram, span])
  const layers = useMemo(
    () => [
      { key: 'ok', label: t('ok'), token: 'brand' },
      { key: 'refused', label: t('refused'), token: 'bad' },
    ],
    [t],
  )
  if (series === null) return null
  return (
    <div className="border-b pr-2 max-sm:hidden" style={{ height: HEIGHT }}>
      {series ? (
        <Suspense fallback={<BarsSkeleton height={HEIGHT} />}>
          <TimeChart
            series={series}
            layers={layers}
            title={title}
            height={HEIGHT}
            onPick={({ span: slot }) => onRange(absoluteRange(slot))}
            onRange={(slot) => onRange(absoluteRange(slot))}
          />
        </Suspense>
      ) : (
        <BarsSkeleton height={HEIGHT} />
      )}
    </div>
  )
}
