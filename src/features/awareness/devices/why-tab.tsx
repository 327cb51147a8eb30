import { useNavigate } from 'react-router-dom'
import type { DeviceScore } from '#contracts/http/devices.ts'
import { PAGES } from '#contracts/pages.ts'
import { filtersOf, SCORE_RULES, SCORE_WINDOW_DAYS } from '#domain/device-score.ts'
import type { Query } from '#domain/query.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { deviceTexts } from './device-texts.ts'
import { ScoreBar } from './score-card.tsx'

/** Every rule with what it counted of this device; a count opens its events. Rules that counted nothing stand below. */
export function WhyTab({
  device,
  score,
  onRows,
}: {
  device: string
  score: DeviceScore
  onRows: (query: Query) => void
}) {
  const t = useTexts(deviceTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const navigate = useNavigate()
  const rules = SCORE_RULES.map((rule) => ({ rule, reason: score.reasons.find((one) => one.rule === rule.id) }))
  rules.sort((a, b) => (b.reason?.points ?? -1) - (a.reason?.points ?? -1))
  const sum = score.reasons.reduce((all, { points }) => all + points, 0)
  const open = (rule: (typeof SCORE_RULES)[number]) => {
    const query: Query = {
      range: `${score.from}~${score.to}`,
      timeBasis: 'occurred',
      compare: 'none',
      filters: filtersOf(rule, device),
    }
    if (rule.counts.of === 'contradictions') void navigate(`${PAGES.abnormal_returns.path}?${carryQuery(query)}`)
    else onRows(query)
  }
  return (
    <section aria-label={t('why')} className="max-w-[1080px] px-5 pt-3 pb-6">
      <p className="text-muted">{t('whyNote')}</p>
      <p className="mt-1 text-12 text-muted">
        {formatDateTime(score.from, zone)} – {formatDateTime(score.to, zone)} ({zone}),{' '}
        {t('window', { days: SCORE_WINDOW_DAYS })}
      </p>
      <div className="mt-3 mb-4">
        <ScoreBar score={score} />
      </div>
      <div className="overflow-x-auto">
        <table className="w-full border-collapse text-body">
          <thead>
            <tr className="h-8 border-b text-left text-12 text-muted">
              <th className="pr-3 font-normal">{t('reason')}</th>
              <th className="pr-3 font-normal">{t('rule')}</th>
              <th className="pr-3 font-normal max-md:hidden" />
              <th className="pr-3 text-right font-normal">{t('times')}</th>
              <th className="pr-3 text-right font-normal">{t('lastTime')}</th>
              <th className="text-right font-normal">{t('points')}</th>
            </tr>
          </thead>
          <tbody>
            {rules.map(({ rule, reason }) => (
              <tr key={rule.id} data-rule={rule.id} className={`h-9 border-b ${reason ? '' : 'text-muted'}`}>
                <td className="pr-3">
                  <span className="inline-flex items-center gap-3">
                    <span className="w-16 flex-none">
                      <LevelMark level={rule.level} />
                    </span>
                    {rule[language]}
                  </span>
                </td>
                <td className="pr-3">
                  <code className="text-12">{rule.id}</code>
                </td>
                <td className="pr-3 text-12 text-muted max-md:hidden">
                  {rule.cap > 0
                    ? t('howPoints', { points: rule.points, more: rule.more, cap: rule.cap })
                    : t('countsNothing')}
                </td>
                <td className="pr-3 text-right">
                  {reason ? (
                    <button
                      type="button"
                      className="text-brand-text hover:underline"
                      title={t('openReason', { count: reason.count })}
                      onClick={() => open(rule)}
                    >
                      <Num value={reason.count} />
                    </button>
                  ) : (
                    '0'
                  )}
                </td>
                <td className="pr-3 text-right whitespace-nowrap">
                  {reason ? formatDateTime(reason.last_at, zone, 'minute', score.to) : '–'}
                </td>
                <td className="text-right">{reason ? `+${reason.points}` : '0'}</td>
              </tr>
            ))}
            <tr className="h-10 font-semibold">
              <td colSpan={5} className="max-md:hidden">
                {sum > score.score ? t('capped', { sum }) : t('sum')}
              </td>
              <td colSpan={4} className="md:hidden">
                {t('sum')}
              </td>
              <td className="text-right" data-testid="why-sum">
                {score.score}
              </td>
            </tr>
          </tbody>
        </table>
      </div>
    </section>
  )
}
