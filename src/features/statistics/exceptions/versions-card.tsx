import { useMemo, useState } from 'react'
import { compareVersions } from '#domain/exceptions.ts'
import type { Measure } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import { layOut } from '#src/shared/charts/time-series.ts'
import { formatExact, formatPercent } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { isFiltered } from '#src/shared/query/query-url.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import type { PartState } from '#src/shared/query/use-statistics.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Section, type SectionState } from '#src/shared/ui/section.tsx'
import { exceptionTexts } from './exception-texts.ts'

const SHOWN = 5
const WIDTH = 240
const HEIGHT = 28

/** One small chart a version, newest first, each on its own scale; a click filters by the version. */
export function VersionsCard({
  state,
  part,
  measure,
  span,
  total,
  sectionState,
}: {
  state: QueryState
  /** Series of `measure` by version. */
  part: PartState<'series'>
  measure: Measure
  span: Span | undefined
  total: number
  sectionState: SectionState
}) {
  const t = useTexts(exceptionTexts)
  const zone = usePlatform((platform) => platform.zone)
  const [all, setAll] = useState(false)
  const series = useMemo(
    () => (part.kind === 'ready' && span ? layOut(part.answer, measure, span, null, zone) : null),
    [part, span, measure, zone],
  )
  const versions = series ? [...series.stacks.keys()].sort((a, b) => compareVersions(b, a)) : []
  const shown = all ? versions : versions.slice(0, SHOWN)
  return (
    <Section
      plain
      title={t('byVersion')}
      note={<span title={t('order')}>{t('ownScale')}</span>}
      state={part.kind === 'loading' ? 'loading' : sectionState}
      className="border-b"
    >
      <ul className="px-5 pb-3 text-12">
        {shown.map((version) => {
          const values = series?.stacks.get(version) ?? []
          const count = values.reduce((a, b) => a + b, 0)
          return (
            <li key={version}>
              <button
                type="button"
                aria-pressed={isFiltered(state.query.filters, 'version', version)}
                onClick={(event) => state.pick('version', version, event.shiftKey)}
                className="flex w-full items-end gap-2 rounded-small px-1 py-0.5 hover:bg-hover aria-pressed:bg-selected"
              >
                <span className="w-16 flex-none text-clip-line self-center text-left text-13 font-semibold">
                  {version || '–'}
                </span>
                <Bars values={values} />
                <span className="w-12 flex-none text-right text-13">{formatExact(count)}</span>
                <span className="w-12 flex-none text-right text-muted">
                  {formatPercent(total > 0 ? count / total : 0)}
                </span>
              </button>
            </li>
          )
        })}
        {!all && versions.length > SHOWN && (
          <li>
            <button type="button" className="px-1 py-1 text-brand-text hover:underline" onClick={() => setAll(true)}>
              {t('older', { count: versions.length - SHOWN })}
            </button>
          </li>
        )}
        {span && (
          <li className="flex justify-between pr-[116px] pl-[76px] text-muted">
            <span>{formatDateTime(span.from, zone, 'minute').slice(5, 10)}</span>
            <span>{formatDateTime(span.to, zone, 'minute').slice(5, 10)}</span>
          </li>
        )}
      </ul>
    </Section>
  )
}

/** Bars without axes: neighbours are added up where there are more than fit. */
function Bars({ values }: { values: readonly number[] }) {
  const width = Math.max(1, Math.ceil(values.length / 48))
  const sums = Array.from({ length: Math.ceil(values.length / width) }, (_, index) =>
    values.slice(index * width, (index + 1) * width).reduce((a, b) => a + b, 0),
  )
  const top = Math.max(1, ...sums)
  const step = WIDTH / Math.max(1, sums.length)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-7 min-w-0 flex-1"
      aria-hidden="true"
    >
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="stroke-line-strong" />
      {sums.map((value, index) => {
        const height = value === 0 ? 0 : Math.max(1.5, (value / top) * (HEIGHT - 2))
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have a place and nothing else
            key={index}
            x={index * step + step * 0.1}
            width={step * 0.8}
            y={HEIGHT - height}
            height={height}
            className="fill-bar-hover"
          />
        )
      })}
    </svg>
  )
}
