import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router-dom'
import { statistics } from '#contracts/http/statistics.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime, formatDuration } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useApplications, useCurrentApplication } from '#src/shared/session/application-store.ts'
import { useLicenceReminder } from '#src/shared/session/licence-store.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { reportState } from './report-state.ts'
import { shellTexts } from './shell-texts.ts'

const LAST_EVENT_EVERY_MS = 30_000

/** Which application is current: name, uuid, protection, when it was last heard from; at the right the platform's zone. */
export function TipsBar() {
  const t = useTexts(shellTexts)
  const application = useCurrentApplication()
  const count = useApplications((state) => state.list?.length ?? 0)
  const { zone, demo } = usePlatform()
  return (
    <div className="col-span-full flex items-center gap-4 overflow-hidden border-b bg-canvas pr-4 pl-5 text-12 whitespace-nowrap text-muted max-sm:px-4">
      <span className="flex min-w-0 items-center gap-1">
        <span className="max-sm:hidden">{t('application')}</span>
        <strong className="text-clip-line font-semibold text-text">{application?.name ?? t('allApplications')}</strong>
        {!application && <span>{t('applications', { count })}</span>}
      </span>
      {application && (
        <>
          <span className="flex items-center gap-1.5">
            <span className="max-sm:hidden">UUID</span>
            <span className="max-md:hidden">
              <CopyText value={application.uuid} />
            </span>
            <span className="md:hidden">
              <CopyText value={application.uuid} short />
            </span>
          </span>
          <span className="max-md:hidden">
            {t('protectType', { type: application.protect_type === '1' ? t('protect') : t('observe') })}
          </span>
        </>
      )}
      <span className="max-sm:hidden">
        <LastEvent app={application?.id ?? null} />
      </span>
      <span className="ml-auto flex items-center gap-4">
        <LicenceLeft />
        {demo && (
          <span title={t('demoHint')}>
            <Chip tone="warn">{t('demo')}</Chip>
          </span>
        )}
        <span className="max-lg:hidden">{zoneLabel(zone)}</span>
      </span>
    </div>
  )
}

/** From 30 days before the platform licence ends. */
function LicenceLeft() {
  const t = useTexts(shellTexts)
  const reminder = useLicenceReminder((state) => state.reminder)
  const mayOpen = useMay('license.manage')
  if (!reminder?.message) return null
  const text = reminder.status === 200 ? t('licenceLeft', { days: reminder.days }) : t('licenceOver')
  const label = (
    <span className="flex items-center gap-1 text-warn-text" title={reminder.message}>
      <Icon of={TriangleAlert} size={14} />
      {text}
    </span>
  )
  return mayOpen ? <Link to={PAGES.licence.path}>{label}</Link> : label
}

/** When the newest event of the application (or of all) arrived; where the store lags, what is late and what works. */
function LastEvent({ app }: { app: string | null }) {
  const t = useTexts(shellTexts)
  const zone = usePlatform((one) => one.zone)
  const mayRead = useMay('events.read')
  const answer = useEndpoint(
    statistics,
    {
      body: {
        query: {
          range: '-7d',
          timeBasis: 'received',
          filters: app ? [{ field: 'app', op: 'is', values: [app] }] : [],
        },
        parts: { newest: { kind: 'rows', limit: 1 } },
      },
    },
    { enabled: mayRead, refetchInterval: LAST_EVENT_EVERY_MS, quiet: true },
  )
  const part = answer.data?.parts['newest']
  const state = reportState(
    part?.kind === 'rows' ? { at: part.rows[0]?.receivedAt, lagSeconds: answer.data?.lag_seconds ?? 0 } : null,
    answer.isError || part?.kind === 'error',
    Date.now(),
  )
  if (!state) return null
  const dot = (tone: string) => <span aria-hidden className={`size-[7px] rounded-full ${tone}`} />
  if (state.kind === 'late')
    return (
      <span
        className="flex items-center gap-1.5 text-warn-text"
        title={t('storeLateHint', { time: formatDateTime(state.storedUntil, zone, 'minute', Date.now()) })}
      >
        {dot('bg-warn')}
        {t('storeLate', { lag: formatDuration(state.lagMs) })}
      </span>
    )
  if (state.kind === 'away')
    return (
      <span className="flex items-center gap-1.5 text-warn-text">
        {dot('bg-warn')}
        {t('storeAway')}
      </span>
    )
  return (
    <span className="flex items-center gap-1.5">
      {dot(state.kind === 'fresh' ? 'bg-good' : 'bg-faint')}
      {state.kind === 'none' ? (
        t('noEvent')
      ) : (
        <>
          {t('lastEvent')} <RelativeTime at={state.at} />
        </>
      )}
    </span>
  )
}

/** `Asia/Shanghai (UTC+8)` */
function zoneLabel(zone: string): string {
  const offset = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'shortOffset' })
    .formatToParts()
    .find((part) => part.type === 'timeZoneName')?.value
  return offset ? `${zone} (${offset.replace('GMT', 'UTC')})` : zone
}
