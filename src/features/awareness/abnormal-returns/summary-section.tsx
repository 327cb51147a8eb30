import { lazy, Suspense, useMemo } from 'react'
import type { abnormalReturns } from '#contracts/http/abnormal-returns.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { CONTRADICTION_KINDS, CONTRADICTIONS, type Contradiction } from '#domain/baseline.ts'
import { BarsSkeleton } from '#src/shared/charts/bars-skeleton.tsx'
import type { TimeSeries } from '#src/shared/charts/time-series.ts'
import { formatPercent } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { Num } from '#src/shared/ui/num.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { abnormalTexts } from './abnormal-texts.ts'

const TimeChart = lazy(() => import('#src/shared/charts/time-chart.tsx'))
type Answer = ResponseOf<typeof abnormalReturns>
type Summary = NonNullable<Answer['summary']>
const SHOWN = 8

/** Four figures, the course, and what differs where: each kind, version and channel narrows the list. */
export function SummarySection({
  summary,
  span,
  kinds,
  state,
}: {
  summary: Summary
  span: Answer['span']
  kinds: readonly Contradiction[]
  state: QueryState
}) {
  const t = useTexts(abnormalTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const series: TimeSeries = useMemo(() => {
    const totals = summary.points.map(({ count }) => count)
    return {
      bucket: summary.bucket,
      span,
      starts: summary.points.map(({ start }) => start),
      stacks: new Map([['', totals]]),
      totals,
      previous: null,
    }
  }, [summary, span])
  const toggle = (kind: Contradiction) => {
    const next = kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind]
    state.setParams({ kind: next.length > 0 ? next.join(',') : null })
  }
  // As tall as the longest list beside it.
  const lines = Math.max(CONTRADICTION_KINDS.length, summary.versions.length, summary.channels.length)
  const height = Math.max(180, 33 * Math.min(SHOWN, lines) + 8)
  // Returns without a baseline may name a pirated certificate too.
  const all = summary.compared + summary.without_baseline
  const share = all > 0 ? formatPercent(summary.total / all) : '–'
  return (
    <>
      <dl className="grid grid-cols-4 border-b max-md:grid-cols-2">
        <Figure word={t('abnormal')} value={summary.total} sub={t('abnormalSub', { share })} testId="abnormal-total" />
        <Figure word={t('devices')} value={summary.devices} sub="" />
        <Figure word={t('compared')} value={summary.compared} sub={t('comparedSub')} />
        <Figure word={t('without')} value={summary.without_baseline} sub={t('withoutSub')} />
      </dl>
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)] border-b max-xl:grid-cols-2 max-md:grid-cols-1">
        <Section plain title={t('trend')} note={t(summary.bucket === 'hour' ? 'perHour' : 'perDay')}>
          <div className="pl-2">
            <Suspense fallback={<BarsSkeleton height={height} />}>
              <TimeChart
                series={series}
                layers={[{ key: '', label: t('abnormal'), token: 'brand' }]}
                title={t('abnormal')}
                height={height}
                onPick={({ span: slot }) => state.set({ range: `${slot.from}~${slot.to}` })}
                onRange={(brushed) => state.set({ range: `${brushed.from}~${brushed.to}` })}
              />
            </Suspense>
          </div>
        </Section>
        <Section plain title={t('kinds')} className="border-l max-md:border-l-0">
          <Bars
            lines={CONTRADICTION_KINDS.map((kind) => ({
              key: kind,
              name: CONTRADICTIONS[kind][language],
              count: summary.kinds[kind],
              isOn: kinds.includes(kind),
              onPick: () => toggle(kind),
            }))}
          />
        </Section>
        <Section plain title={t('byVersion')} className="border-l max-xl:border-l-0">
          <Bars
            lines={summary.versions.slice(0, SHOWN).map(({ appid, version, count }) => ({
              key: `${appid} ${version}`,
              name: `${nameOf('app', appid)} ${version}`,
              count,
              isOn: false,
              onPick: () =>
                state.set({
                  filters: [
                    ...state.query.filters.filter(({ field }) => field !== 'app' && field !== 'version'),
                    { field: 'app', op: 'is', values: [appid] },
                    { field: 'version', op: 'is', values: [version] },
                  ],
                }),
            }))}
          />
        </Section>
        <Section plain title={t('byChannel')} className="border-l max-md:border-l-0">
          <Bars
            lines={summary.channels.slice(0, SHOWN).map(({ channel, count }) => ({
              key: channel,
              name: channel || t('noChannel'),
              count,
              isOn: false,
              onPick: (exclude) => state.pick('channel', channel, exclude),
            }))}
          />
        </Section>
      </div>
    </>
  )
}

function Figure({ word, value, sub, testId }: { word: string; value: number; sub: string; testId?: string }) {
  return (
    <div className="min-h-20 border-r px-5 py-3 last:border-r-0">
      <dt className="text-12 text-muted">{word}</dt>
      <dd className="text-28/8" data-testid={testId} data-value={value}>
        <Num value={value} />
      </dd>
      <dd className="text-12 text-muted">{sub}</dd>
    </div>
  )
}

type BarLine = { key: string; name: string; count: number; isOn: boolean; onPick: (exclude: boolean) => void }

function Bars({ lines }: { lines: readonly BarLine[] }) {
  const most = Math.max(1, ...lines.map(({ count }) => count))
  return (
    <ul className="px-5 pb-3">
      {lines.map(({ key, name, count, isOn, onPick }) => (
        <li key={key}>
          <button
            type="button"
            aria-pressed={isOn}
            disabled={count === 0 && !isOn}
            onClick={(event) => onPick(event.shiftKey)}
            className="block w-full rounded-small py-1 text-left text-13 hover:bg-hover disabled:cursor-default disabled:text-muted aria-pressed:font-semibold aria-pressed:text-brand-text"
          >
            <span className="flex items-baseline gap-2">
              <span className="text-clip-line min-w-0 flex-1">{name}</span>
              <Num value={count} />
            </span>
            <span aria-hidden className="mt-0.5 block h-1 bg-neutral">
              <span className="block h-full bg-brand" style={{ width: `${(count / most) * 100}%` }} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
