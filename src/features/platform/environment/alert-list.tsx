import { TriangleAlert } from 'lucide-react'
import type { EnvironmentAlert } from '#contracts/http/environment.ts'
import { ADVICE, METRIC_WORDS, METRICS } from '#domain/environment.ts'
import { formatDateTime, formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { environmentTexts } from './environment-texts.ts'
import { formatMetric } from './metric-format.ts'

const SHOWN = 8

function useAlertWords() {
  const t = useTexts(environmentTexts)
  const language = useLanguage()
  return ({ metric, peak, limit }: EnvironmentAlert) =>
    t('nowAt', {
      peak: formatMetric(peak, METRICS[metric], language),
      limit: formatMetric(limit, METRICS[metric], language),
    })
}

/** What is over its limit now, and what to do about it. */
export function OpenAlerts({ alerts, several }: { alerts: readonly EnvironmentAlert[]; several: boolean }) {
  const t = useTexts(environmentTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const words = useAlertWords()
  const open = alerts.filter(({ closed_at }) => closed_at === null)
  if (open.length === 0) return null
  return (
    <div role="alert" className="border-t bg-warn-soft" data-testid="open-alerts">
      <ul>
        {open.map((alert) => (
          <li key={alert.id} className="flex items-baseline gap-2.5 border-b px-5 py-2 last:border-b-0">
            <Icon of={TriangleAlert} size={14} className="flex-none translate-y-0.5 text-warn-text" />
            <span className="min-w-0">
              <strong className="font-semibold">
                {METRIC_WORDS[alert.metric][language]}
                {several && ` · ${alert.node}`}
              </strong>
              <span className="ml-2 text-muted">
                {words(alert)} · {t('openSince', { time: formatDateTime(alert.opened_at, zone, 'minute', Date.now()) })}
              </span>
              <span className="block">{ADVICE[alert.metric][language]}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Alerts that are over, newest first. */
export function AlertHistory({ alerts, several }: { alerts: readonly EnvironmentAlert[]; several: boolean }) {
  const t = useTexts(environmentTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const words = useAlertWords()
  const ended = alerts.filter(({ closed_at }) => closed_at !== null).slice(0, SHOWN)
  return (
    <Section plain title={t('alerts')} className="border-t">
      {ended.length === 0 ? (
        <p className="px-5 pb-4 text-muted">{t('noAlerts')}</p>
      ) : (
        <ul className="px-5 pb-3">
          {ended.map((alert) => (
            <li key={alert.id} className="flex min-h-9 flex-wrap items-baseline gap-x-3 border-b py-2 last:border-b-0">
              <span className="text-muted tabular-nums">
                {formatDateTime(alert.opened_at, zone, 'minute', Date.now())}
              </span>
              <span>
                {METRIC_WORDS[alert.metric][language]}
                {several && ` · ${alert.node}`}
              </span>
              <span className="ml-auto text-12 text-muted tabular-nums">
                {words(alert)} ·{' '}
                {t('lasted', { time: formatDuration((alert.closed_at ?? 0) - alert.opened_at, language) })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
