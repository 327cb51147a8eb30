import type { DeviceScore } from '#contracts/http/devices.ts'
import { SCORE_RULES, SCORE_VERSION, SCORE_WINDOW_DAYS } from '#domain/device-score.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { deviceTexts } from './device-texts.ts'

const SHOWN = 5

/** The score in words, its bar and the heaviest reasons; the 'why' tab has all of them. */
export function ScoreCard({ score, onWhy }: { score: DeviceScore; onWhy: () => void }) {
  const t = useTexts(deviceTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const isSuspicious = score.score >= score.limit
  const counted = score.reasons.filter(({ points }) => points > 0)
  return (
    <section aria-label={t('score')} className="flex min-w-0 flex-col px-5 py-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-14 font-semibold">{t('score')}</h2>
        <button type="button" className="text-12 text-brand-text hover:underline" onClick={onWhy}>
          {t('rules', { version: SCORE_VERSION })}
        </button>
      </div>
      <p className="mt-0.5 flex flex-wrap items-baseline gap-x-3">
        <span>
          <span data-testid="device-score" className="text-[40px]/11 tracking-[-0.02em]">
            {score.score}
          </span>{' '}
          <span className="text-muted">/ 100</span>
        </span>
        <span className={isSuspicious ? 'font-semibold' : 'text-muted'}>
          {t(isSuspicious ? 'isSuspicious' : 'isNot')}
        </span>
        <span className="text-12 text-muted">{t('limit', { limit: score.limit })}</span>
        <span className="ml-auto text-12 text-muted">{t('window', { days: SCORE_WINDOW_DAYS })}</span>
      </p>
      <ScoreBar score={score} />
      {counted.length === 0 ? (
        <p className="mt-2 text-12 text-muted">{t('noReasons', { days: SCORE_WINDOW_DAYS })}</p>
      ) : (
        <ul className="mt-2 text-13">
          {counted.slice(0, SHOWN).map((reason) => {
            const rule = SCORE_RULES.find(({ id }) => id === reason.rule)
            return rule ? (
              <li key={rule.id} className="flex h-5.5 items-center gap-3">
                <span className="w-16 flex-none">
                  <LevelMark level={rule.level} />
                </span>
                <span className="text-clip-line min-w-0 flex-1">{rule[language]}</span>
                <code className="w-12 flex-none text-12 text-brand-text max-sm:hidden">{rule.id}</code>
                <span className="flex-none text-12 text-muted max-sm:hidden">
                  {formatDateTime(reason.last_at, zone, 'minute', score.to)}
                </span>
                <span className="w-9 flex-none text-right">+{reason.points}</span>
              </li>
            ) : null
          })}
        </ul>
      )}
      {counted.length > 0 && (
        <p className="mt-auto flex justify-between border-t pt-1.5 text-12 text-muted">
          <button type="button" className="text-brand-text hover:underline" onClick={onWhy}>
            {t('why')} · {counted.length}
          </button>
          <span>
            {counted.map(({ points }) => points).join(' + ')} ={' '}
            <b className="text-text">{counted.reduce((sum, { points }) => sum + points, 0)}</b>
          </span>
        </p>
      )}
    </section>
  )
}

/** Points of the reasons beside each other in the colours of their levels, with a tick at the limit. */
export function ScoreBar({ score }: { score: DeviceScore }) {
  const t = useTexts(deviceTexts)
  let room = 100
  return (
    <div
      role="img"
      aria-label={t('bar', { score: score.score, limit: score.limit })}
      className="relative mt-1.5 h-2 bg-neutral"
    >
      <div className="absolute inset-0 flex gap-px overflow-hidden">
        {score.reasons.map((reason) => {
          const rule = SCORE_RULES.find(({ id }) => id === reason.rule)
          const width = Math.min(room, reason.points)
          room -= width
          return rule && width > 0 ? (
            <span
              key={reason.rule}
              className="h-full flex-none"
              style={{ width: `calc(${width}% - 1px)`, background: `var(--level-${rule.level})` }}
            />
          ) : null
        })}
      </div>
      <span aria-hidden className="absolute -top-1 -bottom-1 w-px bg-text" style={{ left: `${score.limit}%` }} />
    </div>
  )
}
