import { Link } from 'react-router-dom'
import { alerts } from '#contracts/http/alerts.ts'
import { PAGES } from '#contracts/pages.ts'
import { againstText, alertTitle } from '#src/shared/alerts/alert-words.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { alertTexts } from './alert-texts.ts'

const SHOWN = 5

/** Unacknowledged alerts, above the work in the notifications; loaded when they are opened. */
export default function BellAlerts({ onOpen }: { onOpen: () => void }) {
  const nameOf = useNameOf()
  const t = useTexts(alertTexts)
  const may = useMay('events.read')
  const answer = useEndpoint(alerts, { query: { state: 'unacknowledged', limit: SHOWN } }, { enabled: may }).data
  return (
    <ul>
      {answer?.data.map((alert) => {
        const { what, value } = alertTitle(alert, nameOf)
        return (
          <li key={alert.id} className="border-b">
            <Link
              to={`${PAGES.alerts.path}?alert=${alert.id}`}
              onClick={onOpen}
              className="block px-4 py-2.5 hover:bg-hover"
            >
              <span className="flex items-center gap-2">
                <LevelMark level={alert.severity} word={false} />
                <span className="text-clip-line min-w-0 flex-1 font-semibold">
                  {[what, value].filter(Boolean).join(' · ')}
                </span>
                <span className="text-12 text-muted">
                  <RelativeTime at={alert.raised_at} />
                </span>
              </span>
              <span className="text-12 text-muted">
                {formatExact(alert.value)} · {againstText(alert)}
              </span>
            </Link>
          </li>
        )
      })}
      {answer && answer.total > SHOWN && (
        <li className="border-b">
          <Link
            to={`${PAGES.alerts.path}?state=unacknowledged`}
            onClick={onOpen}
            className="block px-4 py-2 text-12 text-brand-text hover:underline"
          >
            {t('allUnacknowledged', { all: formatExact(answer.total) })}
          </Link>
        </li>
      )}
    </ul>
  )
}
