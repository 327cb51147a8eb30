import {
  ChevronLeft,
  ChevronRight,
  ChevronsLeft,
  ChevronsRight,
  Cpu,
  Layers,
  MapPin,
  Smartphone,
  UserRound,
  Wifi,
} from 'lucide-react'
import { Link } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import type { Query } from '#domain/query.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'
import { placeText, shortHash, useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { exceptionTexts } from './exception-texts.ts'
import type { GroupEvent } from './use-group-event.ts'

/** Which event of the group shows, its position among those that pass the filter, and what it ran on. */
export function EventNavigator({
  event,
  query,
  onDetails,
}: {
  event: GroupEvent
  query: Query
  onDetails: () => void
}) {
  const t = useTexts(exceptionTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const zone = usePlatform((platform) => platform.zone)
  const { row } = event
  const steps = [
    { id: 'earliest', icon: ChevronsLeft, to: event.first, keys: 'Home' },
    { id: 'previous', icon: ChevronLeft, to: event.previous, keys: 'p' },
    { id: 'next', icon: ChevronRight, to: event.next, keys: 'n' },
    { id: 'latest', icon: ChevronsRight, to: event.last, keys: 'End' },
  ] as const
  useActions(
    steps
      .filter((step) => step.id === 'previous' || step.id === 'next')
      .map((step) => ({
        id: `exception.${step.id}`,
        label: t(step.id),
        group: t('event'),
        keys: step.keys,
        isDisabled: step.to === null,
        run: () => step.to && event.show(step.to),
      })),
  )
  if (!row) return null
  const fact = (icon: IconType, text: string) =>
    text && (
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
        <Icon of={icon} size={14} className="text-muted" />
        {text}
      </span>
    )
  return (
    <section aria-label={t('event')} className="border-b px-5 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h2 className="text-14 font-semibold">{t('event')}</h2>
        <button
          type="button"
          title={t('details')}
          onClick={onDetails}
          className="text-12 text-brand-text hover:underline"
        >
          <code>{row.id.slice(0, 8)}</code>
        </button>
        <time className="text-12 text-muted">{formatDateTime(row.occurredAt, zone)}</time>
        <span className="ml-auto text-12 text-muted" data-testid="event-position" data-value={event.position ?? ''}>
          {event.position !== null && t('position', { at: formatExact(event.position), of: formatExact(event.total) })}
        </span>
        <fieldset className="inline-flex rounded-small border" aria-label={t('event')}>
          {steps.map(({ id, icon, to }) => {
            const isHere = to === null || to.id === row.id
            return (
              <button
                key={id}
                type="button"
                disabled={isHere}
                onClick={() => event.show(to)}
                className="inline-flex h-6 items-center gap-1 border-r px-2 text-12 last:border-r-0 hover:bg-hover disabled:cursor-not-allowed disabled:text-faint"
              >
                {id !== 'latest' && id !== 'next' && <Icon of={icon} size={12} />}
                {t(id)}
                {(id === 'latest' || id === 'next') && <Icon of={icon} size={12} />}
              </button>
            )
          })}
        </fieldset>
      </div>
      <div className="mt-1.5 flex flex-wrap gap-x-5 gap-y-1 text-13">
        {fact(Smartphone, row.model)}
        {fact(Cpu, row.os)}
        <Link
          to={`${PAGES.device_activity.path.replace(':id', row.device)}?${carryQuery(query)}`}
          className="inline-flex items-center gap-1.5 text-brand-text hover:underline"
          title={row.device}
        >
          <code className="text-12">{shortHash('device', row.device)}</code>
        </Link>
        {row.user && fact(UserRound, shortHash('user', row.user))}
        {fact(MapPin, placeText(row, nameOf, language))}
        {fact(Layers, row.version)}
        {fact(Wifi, row.network)}
      </div>
    </section>
  )
}
