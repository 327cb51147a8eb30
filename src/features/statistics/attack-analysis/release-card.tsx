import type { AnswerOf, Query } from '#domain/query.ts'
import { absoluteRange, BUCKETS, comparedSpan, type Span } from '#domain/time-range.ts'
import { perThousand, rateText } from '#src/features/statistics/parts/figure-row.tsx'
import { Delta } from '#src/shared/charts/delta.tsx'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { behind } from '#src/shared/query/drill.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { isOfAttacks, RISKS, releaseParts } from './attack-parts.ts'
import { attackTexts } from './attack-texts.ts'
import { releaseSpan } from './releases.ts'
import type { Releases } from './use-releases.ts'

/** Attacks per 1,000 starts before and after the first day of a version, in all and by risk type. */
export function ReleaseCard({
  state,
  releases,
  now,
  onRows,
}: {
  state: QueryState
  releases: Releases
  now: number | undefined
  onRows: (query: Query) => void
}) {
  const t = useTexts(attackTexts)
  const zone = usePlatform((platform) => platform.zone)
  const release = releases.list.find(({ version }) => version === state.params.get('release')) ?? releases.list[0]
  const span = release && now !== undefined ? releaseSpan(release, now, zone) : undefined
  // All versions count, before and after: the question is what the release did to the application.
  const query: Query = {
    ...state.query,
    range: span ? absoluteRange(span) : '-24h',
    compare: 'previous',
    filters: state.query.filters.filter((one) => one.field !== 'version' && !isOfAttacks(one)),
  }
  const narrowing = state.query.filters.filter(isOfAttacks)
  const result = useStatistics(query, releaseParts(narrowing), { now, enabled: span !== undefined })
  const [attacks, starts, risks] = [result.part('attacks'), result.part('starts'), result.part('risks')]
  const failed = [attacks, starts, risks].find((part) => part.kind === 'error')
  const apps = state.query.filters.find(({ field, op }) => field === 'app' && op === 'is')
  return (
    <Section
      plain
      title={release ? t('release', { version: release.version }) : t('releaseNone')}
      note={<span title={t('releaseRule')}>{t('releaseUnit')}</span>}
      state={releases.state === 'loading' ? 'loading' : 'ready'}
      skeleton={<Skeleton lines={7} height="20px" className="px-5 pb-5" />}
      actions={
        release && (
          <Select
            label={t('releaseOf')}
            hideLabel
            size="small"
            value={release.version}
            onChange={(version) => state.setParams({ release: version }, true)}
            items={releases.list.map(({ version, firstAt }) => ({
              id: version,
              label: version,
              note: formatDateTime(firstAt, zone, 'minute', Date.now()),
            }))}
            className="w-44"
          />
        )
      }
    >
      {releases.error ? (
        <ErrorState error={releases.error} onRetry={releases.retry} />
      ) : failed?.kind === 'error' ? (
        <ErrorState error={failed.error} onRetry={failed.retry} />
      ) : !release ? (
        <EmptyState kind="range" title={t('noRelease')} hint={t('noReleaseHint')} />
      ) : attacks.kind === 'ready' && starts.kind === 'ready' && risks.kind === 'ready' && span ? (
        <>
          <BothSides
            query={{ ...query, filters: [...query.filters, ...narrowing] }}
            attacks={attacks.answer}
            starts={starts.answer}
            risks={risks.answer}
            span={span}
            onRows={onRows}
          />
          {apps?.values.length !== 1 && <p className="px-5 pb-2 text-12 text-muted">{t('releaseManyApps')}</p>}
        </>
      ) : (
        <Skeleton lines={7} height="20px" className="px-5 pb-5" />
      )}
    </Section>
  )
}

function BothSides({
  query,
  attacks: {
    row: { attacks = 0 },
    previous: { attacks: attacksBefore = 0 } = {},
  },
  starts: {
    row: { starts = 0 },
    previous: { starts: startsBefore = 0 } = {},
  },
  risks,
  span,
  onRows,
}: {
  query: Query
  attacks: AnswerOf<'total'>
  starts: AnswerOf<'total'>
  risks: AnswerOf<'top'>
  span: Span
  onRows: (query: Query) => void
}) {
  const t = useTexts(attackTexts)
  const nameOf = useNameOf()
  const earlier = comparedSpan(span, 'previous')
  const days = Math.max(0.1, Math.round(((span.to - span.from) / BUCKETS.day) * 10) / 10)
  const after = (count: number | undefined) => perThousand(count, starts)
  const before = (count: number | undefined) => perThousand(count, startsBefore)
  const top = Math.max(
    1e-9,
    ...risks.groups.flatMap((group) => [after(group.row.attacks), before(group.previous?.attacks)]),
  )
  const open = (within: Span, key?: string) =>
    onRows(behind(query, 'attacks', { and: RISKS, slot: within, ...(key !== undefined && { by: 'risk', key }) }))
  const head = 'h-7 text-right text-12 font-normal text-muted'
  const count = 'rounded-small hover:text-brand-text hover:underline'
  return (
    <div className="px-5 pb-2">
      <div className="grid grid-cols-2 gap-3 pb-1">
        {(
          [
            ['releaseBefore', earlier, attacksBefore, startsBefore],
            ['releaseAfter', span, attacks, starts],
          ] as const
        ).map(([label, within, these, of]) => (
          <div key={label}>
            <div className="text-12 text-muted">{t(label, { days: String(days) })}</div>
            <div className="flex items-baseline gap-2">
              <span className="text-20/7" data-testid={label}>
                {of ? rateText(perThousand(these, of)) : '–'}
              </span>
              {label === 'releaseAfter' && starts > 0 && startsBefore > 0 ? (
                <Delta now={after(attacks)} before={before(attacksBefore)} bad />
              ) : null}
            </div>
            <button type="button" className={`text-12 text-muted ${count}`} onClick={() => open(within)}>
              {t('attacks')} {formatExact(these)}
            </button>
          </div>
        ))}
      </div>
      <table aria-label={t('releaseUnit')} className="w-full table-fixed border-collapse">
        <thead>
          <tr>
            <th scope="col" className={`${head} w-24 text-left!`}>
              {t('type')}
            </th>
            <th scope="col" aria-hidden className={head} />
            <th scope="col" className={`${head} w-14`}>
              {t('before')}
            </th>
            <th scope="col" className={`${head} w-14`}>
              {t('now')}
            </th>
            <th scope="col" className={`${head} w-12`}>
              {t('times')}
            </th>
          </tr>
        </thead>
        <tbody>
          {risks.groups.map(({ key, row, previous: past }) => {
            const [x, y] = [before(past?.attacks), after(row.attacks)]
            return (
              <tr key={key} className="h-6.5">
                <td className="text-clip-line pr-2">{nameOf('risk', key)}</td>
                <td aria-hidden>
                  <span className="block h-1 rounded-[2px] bg-line-strong" style={{ width: `${(x / top) * 100}%` }} />
                  <span
                    className="mt-0.5 block h-1.5 rounded-[2px] bg-brand"
                    style={{ width: `${(y / top) * 100}%` }}
                  />
                </td>
                <td className="text-right text-muted">
                  <button
                    type="button"
                    className={count}
                    title={formatExact(past?.attacks ?? 0)}
                    onClick={() => open(earlier, key)}
                  >
                    {rateText(x)}
                  </button>
                </td>
                <td className="text-right">
                  <button
                    type="button"
                    className={count}
                    title={formatExact(row.attacks ?? 0)}
                    onClick={() => open(span, key)}
                  >
                    {rateText(y)}
                  </button>
                </td>
                <td className={`text-right ${y > 1.5 * x ? 'font-semibold' : 'text-muted'}`}>
                  {x > 0 ? `×${(y / x).toFixed(1)}` : '–'}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
