import { chartTexts } from '../../../shared/charts/chart-texts.ts'
import { LayerName } from '../../../shared/charts/layer-name.tsx'
import { slotLabel } from '../../../shared/charts/slot-label.ts'
import type { TokenLayer } from '../../../shared/charts/time-option.ts'
import type { TimeSeries } from '../../../shared/charts/time-series.ts'
import { formatExact } from '../../../shared/format/number.ts'
import { useTexts } from '../../../shared/i18n/texts.ts'
import { usePlatform } from '../../../shared/session/platform-store.ts'

/** The chart's numbers as a table, newest first. */
export function TimeTable({
  series,
  layers,
  title,
  maxHeight,
}: {
  series: TimeSeries
  layers: readonly TokenLayer[]
  title: string
  maxHeight: number
}) {
  const t = useTexts(chartTexts)
  const zone = usePlatform((state) => state.zone)
  const head =
    'sticky top-0 h-8 border-b bg-surface px-2 text-right text-12 font-normal text-muted first:pl-5 first:text-left last:pr-4'
  const cell = 'h-7 border-b px-2 text-right first:pl-5 first:text-left last:pr-4'
  const split = layers.length > 1
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section tabIndex={0} aria-label={title} className="overflow-auto" style={{ maxHeight }}>
      <table aria-label={title} className="w-full border-collapse text-12">
        <thead>
          <tr>
            <th scope="col" className={head}>
              {t('time')}
            </th>
            {split &&
              layers.map((layer) => (
                <th key={layer.key} scope="col" className={head}>
                  <LayerName layer={layer} />
                </th>
              ))}
            <th scope="col" className={head}>
              {t('total')}
            </th>
            {series.previous && (
              <th scope="col" className={head}>
                {t('previous')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {series.starts
            .map((start, slot) => (
              <tr key={start}>
                <td className={cell}>{slotLabel(series, slot, zone)}</td>
                {split &&
                  layers.map((layer) => (
                    <td key={layer.key} className={cell}>
                      {formatExact(series.stacks.get(layer.key)?.[slot] ?? 0)}
                    </td>
                  ))}
                <td className={`${cell} font-semibold`}>{formatExact(series.totals[slot] ?? 0)}</td>
                {series.previous && <td className={`${cell} text-muted`}>{formatExact(series.previous[slot] ?? 0)}</td>}
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
    </section>
  )
}
