import { useMemo } from 'react'
import type { Span } from '#domain/time-range.ts'
import { shadeBreaks, shadeOf } from '#src/shared/charts/shade.ts'
import { axisLabels, slotLabel } from '#src/shared/charts/slot-label.ts'
import { layOut, spanOfSlots } from '#src/shared/charts/time-series.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import type { PartState } from '#src/shared/query/use-statistics.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { globalTexts } from './global-texts.ts'

/** Attacks of each application over the range, one row each, shaded on one scale: which were hit together, and when. A cell opens its analysis. */
export function AppHeat({
  part,
  span,
  lines,
  onOpen,
}: {
  part: PartState<'series'>
  span: Span | undefined
  lines: readonly { id: string; name: string }[]
  onOpen: (id: string, slot: Span) => void
}) {
  const t = useTexts(globalTexts)
  const zone = usePlatform((state) => state.zone)
  const series = useMemo(
    () => (part.kind === 'ready' && span ? layOut(part.answer, 'attacks', span, null, zone) : null),
    [part, span, zone],
  )
  const breaks = useMemo(() => shadeBreaks([...(series?.stacks.values() ?? [])].flat()), [series])
  if (part.kind === 'error' || (series && series.starts.length < 2)) return null
  const axis = series ? axisLabels(series, zone, 12) : []
  return (
    <Section
      plain
      title={t('course')}
      note={t('courseNote')}
      className="border-t pt-2"
      state={series ? 'ready' : 'loading'}
      skeleton={<Skeleton lines={Math.max(2, lines.length)} height="24px" className="px-5 pb-5" />}
      actions={
        <span className="mr-2 inline-flex items-center gap-1.5 text-12 text-muted max-sm:hidden" aria-hidden>
          &lt; {formatExact(breaks[0] ?? 0)}
          <span className="inline-flex">
            {[1, 2, 3, 4, 5].map((shade) => (
              <span key={shade} className="h-2 w-5" style={{ background: `var(--scale-${shade})` }} />
            ))}
          </span>
          ≥ {formatExact(breaks[3] ?? 0)}
        </span>
      }
    >
      {series && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard
        <div className="overflow-x-auto px-5 pb-6 max-sm:px-4" tabIndex={0}>
          <table aria-label={t('course')} className="w-full table-fixed border-separate border-spacing-0.5">
            <colgroup>
              <col className="w-44 max-sm:w-28" />
            </colgroup>
            <tbody>
              {lines.map(({ id, name }) => (
                <tr key={id}>
                  <th scope="row" className="text-clip-line pr-2 text-left text-13 font-normal">
                    {name}
                  </th>
                  {series.starts.map((start, slot) => {
                    const count = series.stacks.get(id)?.[slot] ?? 0
                    const shade = shadeOf(count, breaks)
                    const label = `${name} ${slotLabel(series, slot, zone)} ${formatExact(count)}`
                    return (
                      <td key={start} className="p-0">
                        <button
                          type="button"
                          title={label}
                          aria-label={label}
                          disabled={count === 0}
                          onClick={() => onOpen(id, spanOfSlots(series, slot, slot))}
                          className="block h-7 w-full rounded-[2px] enabled:hover:outline-2 enabled:hover:outline-brand"
                          style={{ background: shade ? `var(--scale-${shade})` : 'var(--hover)' }}
                        />
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
            <tfoot aria-hidden>
              <tr>
                <td />
                {series.starts.map((start, slot) => (
                  <td key={start} className="overflow-visible p-0 text-12 whitespace-nowrap text-muted">
                    {axis[slot]?.text}
                  </td>
                ))}
              </tr>
            </tfoot>
          </table>
        </div>
      )}
    </Section>
  )
}
