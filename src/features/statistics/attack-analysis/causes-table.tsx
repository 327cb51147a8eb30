import { DIMENSIONS } from '#domain/query.ts'
import { formatExact, formatPercent } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { CAUSE_PARTS, CAUSES } from './attack-parts.ts'
import { attackTexts } from './attack-texts.ts'
import { causesOf } from './causes.ts'

const SHOWN = 12

/** The values that moved most between the two periods, whatever field they are of; one click filters by one. */
export function CausesTable({ state, now }: { state: QueryState; now: number | undefined }) {
  const t = useTexts(attackTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const compares = state.query.compare !== 'none'
  const result = useStatistics(state.query, CAUSE_PARTS, { now, enabled: compares && now !== undefined })
  if (!compares)
    return (
      <EmptyState
        kind="range"
        title={t('noCompare')}
        hint={t('compareHint')}
        action={<Button onPress={() => state.set({ compare: 'previous' })}>{t('compareNow')}</Button>}
      />
    )
  const parts = CAUSES.map((by) => ({ by, part: result.part(by) }))
  const failed = parts.find(({ part }) => part.kind === 'error')?.part
  if (failed?.kind === 'error') return <ErrorState error={failed.error} onRetry={failed.retry} />
  const answers = parts.flatMap(({ by, part }) => (part.kind === 'ready' ? [{ by, answer: part.answer }] : []))
  if (answers.length < parts.length) return <Skeleton lines={8} height="22px" className="px-5 py-2" />
  const causes = causesOf(answers, SHOWN)
  const head = 'h-8 border-b px-2 text-right text-12 font-normal text-muted first:pl-5 first:text-left last:pr-5'
  const cell = 'h-8 border-b px-2 text-right whitespace-nowrap first:pl-5 first:text-left last:pr-5'
  return (
    <table aria-label={t('causes')} className="w-full table-fixed border-collapse">
      <thead>
        <tr>
          <th scope="col" className={`${head} w-1/2`}>
            {t('value')}
          </th>
          <th scope="col" className={head}>
            {t('change')}
          </th>
          <th scope="col" className={head}>
            {t('ofChange')}
          </th>
        </tr>
      </thead>
      <tbody>
        {causes.map(({ by, key, now: after, before, share }) => (
          <tr key={`${by} ${key}`}>
            <td className={cell}>
              <button
                type="button"
                className="flex w-full min-w-0 gap-1.5 rounded-small text-left hover:text-brand-text"
                title={`${nameOf(by, key)}  ${formatExact(before)} → ${formatExact(after)}`}
                onClick={(event) => state.pick(by, key, event.shiftKey)}
              >
                <span className="flex-none text-12/5 text-muted">{DIMENSIONS[by][language]}</span>
                <span className="text-clip-line">{nameOf(by, key)}</span>
              </button>
            </td>
            <td className={`${cell} ${after > before ? 'text-bad-text' : ''}`}>
              {after > before ? '+' : '−'}
              {formatExact(Math.abs(after - before))}
            </td>
            <td className={`${cell} text-muted`}>{share === null ? '–' : formatPercent(share, 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
