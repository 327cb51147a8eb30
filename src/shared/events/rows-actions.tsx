import { Pin, Route, Smartphone, Users, ZoomIn } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import type { Query } from '#domain/query.ts'
import { ALL_TIME, absoluteRange, type Span } from '#domain/time-range.ts'
import { useTexts } from '../i18n/texts.ts'
import { carryQuery } from '../query/query-url.ts'
import { useStatistics } from '../query/use-statistics.ts'
import { shortHash } from '../query/value-names.ts'
import { pageAllowed, useAuthList, useMay } from '../session/session-store.ts'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { Icon } from '../ui/icon.tsx'
import { eventTexts } from './event-texts.ts'

const PinEntryDialog = lazy(async () => ({ default: (await import('./pin-entry-dialog.tsx')).PinEntryDialog }))
/** How far back a trace looks by itself. */
const TRACE_MS = 7 * 86_400_000

/** What leads on from a list of events: the page zoomed to it, its users and devices, the trace of its busiest device, a case. */
export function RowsActions({
  query,
  span,
  now,
  onZoom,
}: {
  query: Query
  span: Span
  /** The time that the list was read at. */
  now: number | undefined
  /** Makes the span the range of the page; undefined where it is that already. */
  onZoom: (() => void) | undefined
}) {
  const t = useTexts(eventTexts)
  const navigate = useNavigate()
  const auth = useAuthList()
  const mayPin = useMay('investigation.edit')
  const [pinning, setPinning] = useState(false)
  const pinned: Query = { ...query, range: absoluteRange(span), compare: 'none' }
  const result = useStatistics(
    pinned,
    { top: { kind: 'top', by: 'device', measures: ['events'], limit: 1 } },
    { paused: true, now },
  )
  const top = result.part('top')
  const busiest = top.kind === 'ready' ? top.answer.groups[0]?.key : undefined
  const list = carryQuery(pinned)
  return (
    <div className="flex flex-none flex-wrap items-center gap-1 border-b px-5 py-2" data-testid="rows-actions">
      {onZoom && (
        <Button size="small" icon={ZoomIn} onPress={onZoom}>
          {t('zoom')}
        </Button>
      )}
      {pageAllowed(PAGES.attacked_users, auth) && (
        <Link to={`${PAGES.attacked_users.path}?${list}&list=activeUsers`} className={buttonClass('plain', 'small')}>
          <Icon of={Users} size={14} />
          {t('usersOf')}
        </Link>
      )}
      {pageAllowed(PAGES.active_devices, auth) && (
        <Link to={`${PAGES.active_devices.path}?${list}`} className={buttonClass('plain', 'small')}>
          <Icon of={Smartphone} size={14} />
          {t('devicesOf')}
        </Link>
      )}
      {busiest && pageAllowed(PAGES.investigation, auth) && (
        <Button
          size="small"
          icon={Route}
          title={t('traceOf', { device: shortHash('device', busiest) })}
          onPress={() => {
            // Older than what a trace shows by itself: all of it.
            const range = span.from < Date.now() - TRACE_MS ? `&range=${ALL_TIME}` : ''
            void navigate(`${PAGES.investigation.path}?subject=device:${busiest}&apps=all${range}`)
          }}
        >
          {t('traceBusiest')}
        </Button>
      )}
      {busiest && mayPin && (
        <Button
          size="small"
          icon={Pin}
          title={t('pinOf', { device: shortHash('device', busiest) })}
          onPress={() => setPinning(true)}
        >
          {t('addToCase')}
        </Button>
      )}
      {pinning && busiest && (
        <Suspense>
          <PinEntryDialog
            name={t('caseOf', { device: shortHash('device', busiest) })}
            entry={(note) => ({
              kind: 'subject',
              query: { ...pinned, timeBasis: 'occurred' },
              now: now ?? span.to,
              subject: { kind: 'device', key: busiest },
              note,
            })}
            onClose={() => setPinning(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
