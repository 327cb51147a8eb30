import { niceTop } from '#src/shared/charts/time-option.ts'
import { formatExact, formatNumber } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { communicationTexts } from './communication-texts.ts'

type Slot = { at: number; requests: number; refused: number }

/** A label of the time axis every so many half hours. */
const LABEL_EVERY = 12

/** Requests and refusals of 24 hours, each on its own scale from zero, on one time axis. */
export function RequestsChart({ slots }: { slots: readonly Slot[] }) {
  const t = useTexts(communicationTexts)
  const zone = usePlatform((state) => state.zone)
  const time = (at: number) => formatDateTime(at, zone, 'minute').slice(11)
  return (
    <figure
      className="flex min-w-0 flex-1 flex-col px-5 pb-3"
      aria-label={`${t('chart')}: ${slots.map(({ at, requests, refused }) => `${time(at)} ${requests} / ${refused}`).join(', ')}`}
    >
      <Bars
        label={t('count')}
        slots={slots}
        countOf={(slot) => slot.requests}
        barClass="bg-brand"
        height="h-28 max-sm:h-24"
        title={(slot) => `${time(slot.at)}  ${t('count')} ${formatExact(slot.requests)}`}
      />
      <Bars
        label={t('refused')}
        slots={slots}
        countOf={(slot) => slot.refused}
        barClass="bg-text"
        height="h-12"
        title={(slot) => `${time(slot.at)}  ${t('refused')} ${formatExact(slot.refused)}`}
      />
      <div aria-hidden className="relative ml-11 h-5 text-12 text-muted">
        {slots.map((slot, at) =>
          at % LABEL_EVERY === LABEL_EVERY / 2 ? (
            <span
              key={slot.at}
              className="absolute top-1 -translate-x-1/2 tabular-nums"
              style={{ left: `${((at + 0.5) / slots.length) * 100}%` }}
            >
              {time(slot.at)}
            </span>
          ) : null,
        )}
      </div>
    </figure>
  )
}

function Bars({
  label,
  slots,
  countOf,
  barClass,
  height,
  title,
}: {
  label: string
  slots: readonly Slot[]
  countOf: (slot: Slot) => number
  barClass: string
  height: string
  title: (slot: Slot) => string
}) {
  const top = niceTop(Math.max(...slots.map(countOf), 0))
  return (
    <div aria-hidden className="mt-3 mb-2 flex">
      <div className={`relative w-11 flex-none text-right text-12 text-muted tabular-nums ${height}`}>
        <span className="absolute top-0 right-2 -translate-y-1/2">{formatNumber(top, 10_000).replace('.0', '')}</span>
        <span className="absolute right-2 bottom-0 translate-y-1/2">0</span>
      </div>
      <div className={`relative flex min-w-0 flex-1 items-end gap-px border-t border-b border-line ${height}`}>
        <span className="pointer-events-none absolute top-0.5 right-0 rounded-small bg-surface px-1 text-12/4 text-muted">
          {label}
        </span>
        {slots.map((slot) => (
          <div key={slot.at} title={title(slot)} className="group flex h-full min-w-0 flex-1 items-end hover:bg-hover">
            <div
              className={`w-full ${barClass}`}
              style={{ height: countOf(slot) === 0 ? 0 : `max(2px, ${(countOf(slot) / top) * 100}%)` }}
            />
          </div>
        ))}
      </div>
    </div>
  )
}
