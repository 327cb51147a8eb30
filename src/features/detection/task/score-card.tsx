import { useState } from 'react'
import { FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { ScoreDelta } from '#src/features/detection/parts/score-delta.tsx'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { NO_ITEM_FILTERS } from './item-filters.tsx'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'
import { scoreParts } from './score-parts.ts'
import { useReportItems } from './use-report-items.ts'
import { WhatIfDrawer } from './what-if-drawer.tsx'

const FILL = { high: 'bg-level-high', middle: 'bg-level-medium', low: 'bg-level-low', info: 'bg-level-info' } as const

/** The score and what took points, by level; the formula and each deduction stand behind it, with what fixing items would give. */
export function ScoreCard(props: PartProps) {
  const t = useTexts(reportTexts)
  const { summary, comparison, address } = props
  const { items } = useReportItems(props)
  const { levels, others } = scoreParts(
    summary.score.deductions,
    items.map((one) => one.item),
  )
  const isOpen = address.params.get('score') === '1'
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  const back = others.reduce((sum, one) => sum - one.points, 0)
  const filter = (level: string) => address.setParams({ ...NO_ITEM_FILTERS, tab: null, level })
  return (
    <section aria-label={t('score')} className="border-l py-3 px-6 max-lg:border-t max-lg:border-l-0 max-lg:px-0">
      <div className="flex items-baseline gap-2">
        <h2 className="text-12 text-muted">{t('score')}</h2>
        <span className="text-40/10" data-testid="score" data-value={summary.score.value}>
          {summary.score.value}
        </span>
        <span className="text-muted">{t('of100')}</span>
        <span className="ml-auto flex items-baseline gap-2 text-12 text-muted">
          {comparison && (
            <>
              <ScoreDelta now={summary.score.value} before={comparison.before.score} />
              <span>
                {comparison.before.version} {comparison.before.score}
              </span>
            </>
          )}
        </span>
      </div>
      <div aria-hidden className="mt-1 mb-2 flex h-2 gap-px overflow-hidden rounded-full bg-neutral">
        {/* Text colour: blue is the colour of low findings. */}
        <span className="bg-text" data-testid="score-left" style={{ width: `${summary.score.value}%` }} />
        {levels.map(({ level, points }) => (
          <span key={level} className={FILL[level]} style={{ width: `${points}%` }} />
        ))}
      </div>
      <table className="w-full tabular-nums">
        <tbody>
          {levels
            .map((one) => ({ ...one, count: summary.counts[one.level] }))
            .map(({ level, count, points }) => (
              <tr key={level} className="h-6">
                <td className="w-24">
                  <FindingLevelMark level={level} />
                </td>
                <td className="text-right" data-testid={`count-${level}`} data-value={count}>
                  {count > 0 ? (
                    <button type="button" className="text-brand-text hover:underline" onClick={() => filter(level)}>
                      {t('shown', { count })}
                    </button>
                  ) : (
                    <span className="text-muted">{t('shown', { count })}</span>
                  )}
                </td>
                <td className="w-20 text-right">{points > 0 ? `−${points}` : 0}</td>
              </tr>
            ))}
        </tbody>
      </table>
      <div className="mt-1 flex justify-between border-t pt-1.5 tabular-nums">
        <button
          type="button"
          className="text-brand-text hover:underline"
          onClick={() => address.setParams({ score: '1' }, true)}
        >
          {t('rule')}
        </button>
        {back !== 0 && (
          <span className="text-muted">{t(back > 0 ? 'capped' : 'further', { points: Math.abs(back) })}</span>
        )}
      </div>
      {(isOpen || wasOpen) && (
        <WhatIfDrawer
          {...props}
          items={items}
          isOpen={isOpen}
          onClose={() => address.setParams({ score: null }, true)}
        />
      )}
    </section>
  )
}
