import { formatExact } from '../format/number.ts'
import { useTexts } from '../i18n/texts.ts'
import { usePlatform } from '../session/platform-store.ts'
import { chartTexts } from './chart-texts.ts'
import { Delta } from './delta.tsx'
import { LayerName } from './layer-name.tsx'
import { slotLabel } from './slot-label.ts'
import type { TokenLayer } from './time-option.ts'
import { isPartial, type TimeSeries } from './time-series.ts'

/** What a bucket holds, beside it. */
export function TimeTip({
  series,
  layers,
  slot,
  x,
  right,
  width,
}: {
  series: TimeSeries
  layers: readonly TokenLayer[]
  slot: number
  x: number
  /** Drawn left of the bucket. */
  right: boolean
  width: number
}) {
  const t = useTexts(chartTexts)
  const zone = usePlatform((state) => state.zone)
  const total = series.totals[slot] ?? 0
  const previous = series.previous?.[slot]
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-1 z-20 min-w-40 rounded bg-raised px-3 py-2 text-12 whitespace-nowrap text-text shadow-raised"
      style={right ? { right: width - x + 14 } : { left: x + 14 }}
    >
      <div className="flex justify-between gap-6">
        <span className="text-muted">
          {slotLabel(series, slot, zone)}
          {isPartial(series, slot) && ` ${t('partial')}`}
        </span>
        <span className="font-semibold">{formatExact(total)}</span>
      </div>
      {layers.length > 1 && (
        <div className="mt-1.5 border-t pt-1">
          {layers.map((layer) => (
            <div key={layer.key} className="flex justify-between gap-6">
              <span>
                <LayerName layer={layer} />
              </span>
              <span>{formatExact(series.stacks.get(layer.key)?.[slot] ?? 0)}</span>
            </div>
          ))}
        </div>
      )}
      {previous !== undefined && (
        <div className="mt-1.5 flex justify-between gap-6 border-t pt-1.5">
          <span className="text-muted">
            {t('previous')} {formatExact(previous)}
          </span>
          <Delta now={total} before={previous} />
        </div>
      )}
    </div>
  )
}
