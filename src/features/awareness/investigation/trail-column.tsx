import { Pin, Zap } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type Subject, TRAIL_EVENTS, type Trail, type TrailStep, type TrailStop } from '#domain/trail.ts'
import type { Level } from '#domain/vocabulary.ts'
import { eventLevel, eventTitle } from '#src/shared/events/event-words.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { placeText, shortHash, useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Avatar } from '#src/shared/ui/avatar.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { roughly, shortPlace, spanText } from './spans.ts'
import { traceTexts } from './trace-texts.ts'
import type { Pins } from './use-case.ts'

/** The story in order: stops, their events folded by kind, pauses, and how the subject came from one stop to the next. */
export function TrailColumn({
  trail,
  subject,
  current,
  pins,
  pinnedOnly,
  onPinnedOnly,
  onStop,
  onStopEvents,
  onStep,
}: {
  trail: Trail
  subject: Subject
  /** Number of the stop that is chosen. */
  current: number | null
  pins: Pins
  pinnedOnly: boolean
  onPinnedOnly: () => void
  onStop: (number: number) => void
  onStopEvents: (stop: TrailStop) => void
  onStep: (stop: TrailStop, step: TrailStep) => void
}) {
  const t = useTexts(traceTexts)
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (current !== null) list.current?.querySelector(`[data-stop="${current}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const shown = pinnedOnly
    ? trail.stops.filter((stop) => pins.stop(stop) || stop.steps.some((step) => pins.step(step)))
    : trail.stops
  return (
    <Section
      plain
      className="min-h-0"
      bodyClassName="overflow-auto pb-4 max-lg:overflow-visible"
      title={t('trail')}
      note={
        <span data-testid="trail-total" data-value={trail.events}>
          {t('trailNote', {
            events: formatExact(trail.events),
            attacks: formatExact(trail.attacks),
            starts: formatExact(trail.starts),
          })}
        </span>
      }
      actions={
        <IconButton size="small" label={t('pinnedOnly')} icon={Pin} isSelected={pinnedOnly} onPress={onPinnedOnly} />
      }
    >
      {trail.shown < trail.events && (
        <p className="px-5 pb-2 text-12 text-warn-text">
          {t('trailCut', {
            events: formatExact(trail.events),
            shown: formatExact(Math.min(trail.shown, TRAIL_EVENTS)),
          })}
        </p>
      )}
      {pinnedOnly && shown.length === 0 && <p className="px-5 py-6 text-center text-12 text-muted">{t('noPins')}</p>}
      <ol ref={list} className="pr-3 pl-5">
        {shown.map((stop) => (
          <StopItem
            key={stop.number}
            stop={stop}
            subject={subject}
            isCurrent={stop.number === current}
            pins={pins}
            pinnedOnly={pinnedOnly}
            onStop={() => onStop(stop.number)}
            onEvents={() => onStopEvents(stop)}
            onStep={(step) => onStep(stop, step)}
          />
        ))}
      </ol>
    </Section>
  )
}

const ROW = 'grid grid-cols-[60px_24px_minmax(0,1fr)] items-center'

function StopItem({
  stop,
  subject,
  isCurrent,
  pins,
  pinnedOnly,
  onStop,
  onEvents,
  onStep,
}: {
  stop: TrailStop
  subject: Subject
  isCurrent: boolean
  pins: Pins
  pinnedOnly: boolean
  onStop: () => void
  onEvents: () => void
  onStep: (step: TrailStep) => void
}) {
  const t = useTexts(traceTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const zone = usePlatform((state) => state.zone)
  const place = placeText(stop.place, nameOf, language)
  const day = (at: number) => formatDateTime(at, zone, 'day', Date.now())
  let shownDay = day(stop.from)
  const steps = pinnedOnly && !pins.stop(stop) ? stop.steps.filter((step) => pins.step(step)) : stop.steps
  return (
    <li data-stop={stop.number} className="[contain-intrinsic-size:auto_240px] [content-visibility:auto]">
      {stop.move && !pinnedOnly && <Move move={stop.move} />}
      <div className={`${ROW} group/row relative h-7 ${isCurrent ? 'bg-selected' : ''}`}>
        <span className="pr-2 text-right text-12 text-muted">{shownDay}</span>
        <StopNumber number={stop.number} />
        <span className="flex min-w-0 items-center gap-2 pl-1.5">
          <button
            type="button"
            onClick={onStop}
            aria-pressed={isCurrent}
            aria-label={t('openStop', { number: stop.number, place, count: stop.events })}
            title={place}
            className="text-clip-line min-w-0 font-semibold after:absolute after:inset-y-0 after:right-18 after:left-0"
          >
            {language === 'zh' ? place : shortPlace(stop.place, nameOf, language)}
          </button>
          <span
            className="text-clip-line min-w-0 flex-1 font-mono text-12 text-muted"
            title={
              stop.networkCount > stop.networks.length
                ? `${stop.networks.join(', ')} ${t('moreNetworks', { count: stop.networkCount })}`
                : stop.networks.join(', ')
            }
          >
            {stop.networks[0]}
            {stop.networkCount > 1 && ` +${stop.networkCount - 1}`}
          </span>
          <PinButton
            pinned={pins.stop(stop) !== undefined}
            isDisabled={!pins.may}
            onPress={() => pins.toggleStop(stop)}
          />
          <button
            type="button"
            onClick={onEvents}
            title={t('openStopEvents')}
            className="relative z-1 flex-none text-12 text-brand-text hover:underline"
            data-testid={`stop-${stop.number}-events`}
            data-value={stop.events}
          >
            {t('count', { count: stop.events })}
          </button>
        </span>
      </div>
      <ol>
        {steps.map((step) => {
          const changed = day(step.from) !== shownDay
          shownDay = day(step.from)
          return (
            <li key={`${step.from}-${step.first}-${step.device}`}>
              {(step.pause > 0 || changed) && !pinnedOnly && (
                <div className={`${ROW} h-5 text-12 text-muted`}>
                  <span className="pr-2 text-right">{changed && shownDay}</span>
                  <Rail dashed={step.pause > 0} bare />
                  {step.pause > 0 && (
                    <span className="pl-1.5">{t('pause', { time: spanText(step.pause, language) })}</span>
                  )}
                </div>
              )}
              <StepRow step={step} subject={subject} pins={pins} onOpen={() => onStep(step)} />
            </li>
          )
        })}
      </ol>
    </li>
  )
}

function StepRow({
  step,
  subject,
  pins,
  onOpen,
}: {
  step: TrailStep
  subject: Subject
  pins: Pins
  onOpen: () => void
}) {
  const t = useTexts(traceTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const zone = usePlatform((state) => state.zone)
  const level = step.type === 'risk' ? eventLevel(step) : null
  const title = eventTitle(step, language)
  const app = nameOf('app', step.app)
  return (
    <div className={`${ROW} group/row relative min-h-5 hover:bg-hover pointer-coarse:min-h-9`}>
      <span className="pr-2 text-right font-mono text-12 text-muted">{formatDateTime(step.from, zone, 'time')}</span>
      <Rail level={level} />
      <span className="flex min-w-0 items-center gap-1.5 pl-1.5">
        <button
          type="button"
          onClick={onOpen}
          aria-label={t('openStep', { count: step.count, title })}
          className={`text-clip-line min-w-0 text-left after:absolute after:inset-0 ${level ? '' : 'text-muted'}`}
        >
          {level && <LevelWord level={level} />}
          {title}
        </button>
        {step.device && subject.kind !== 'device' && (
          <span className="flex-none font-mono text-12 text-muted">{shortHash('device', step.device)}</span>
        )}
        <span className="ml-auto flex flex-none items-center gap-1.5">
          <PinButton
            pinned={pins.step(step) !== undefined}
            isDisabled={!pins.may}
            onPress={() => pins.toggleStep(step)}
          />
          <span className="min-w-6 text-right text-12 text-muted">
            {step.count > 1 && `×${formatExact(step.count)}`}
          </span>
          <span title={app} className="origin-center scale-80">
            <Avatar name={app} shape="square" size={20} />
          </span>
        </span>
      </span>
    </div>
  )
}

function LevelWord({ level }: { level: Level }) {
  return (
    <span className="mr-1.5 text-12 text-muted [&_svg]:hidden">
      <LevelMark level={level} />
    </span>
  )
}

/** Hidden until the row is pointed at or focused, unless it is pinned. */
function PinButton({ pinned, isDisabled, onPress }: { pinned: boolean; isDisabled: boolean; onPress: () => void }) {
  const t = useTexts(traceTexts)
  if (isDisabled && !pinned) return null
  return (
    <button
      type="button"
      disabled={isDisabled}
      aria-pressed={pinned}
      aria-label={t(pinned ? 'unpin' : 'pin')}
      title={t(pinned ? 'unpin' : 'pin')}
      onClick={onPress}
      className={`relative z-1 flex size-5 flex-none items-center justify-center rounded-small hover:bg-neutral ${pinned ? 'text-brand-text' : 'text-muted opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100'}`}
    >
      <Icon of={Pin} size={12} />
    </button>
  )
}

/** The line down the trail with the mark of what happened on it. */
function Rail({
  level = null,
  dashed = false,
  bare = false,
}: {
  level?: Level | null
  dashed?: boolean
  bare?: boolean
}) {
  return (
    <span className="relative flex h-full items-center justify-center">
      <span
        aria-hidden
        className={`absolute inset-y-0 left-1/2 border-l ${dashed ? 'border-dashed' : ''} border-line-strong`}
      />
      {!bare && !dashed && (
        <span className="relative bg-surface py-0.5">
          {level ? (
            <LevelMark level={level} word={false} />
          ) : (
            <span aria-hidden className="block size-[7px] rounded-full border border-muted" />
          )}
        </span>
      )}
    </span>
  )
}

export function StopNumber({ number }: { number: number }) {
  return (
    <span
      aria-hidden
      className="mx-auto flex h-[18px] min-w-[18px] items-center justify-center rounded-full bg-text px-1 text-[11px] font-semibold text-surface"
    >
      {number}
    </span>
  )
}

function Move({ move }: { move: NonNullable<TrailStop['move']> }) {
  const t = useTexts(traceTexts)
  const language = useLanguage()
  const time = spanText(move.ms, language)
  const km = roughly(move.km)
  if (!move.impossible)
    return (
      <div className={`${ROW} h-5 text-12 text-muted`}>
        <span />
        <Rail dashed />
        <span className="pl-1.5">
          {t('gap', { time, km })}
          {!move.judged && ` (${t('notJudged')})`}
        </span>
      </div>
    )
  return (
    <div className={`${ROW} h-9`} data-testid="impossible">
      <span />
      <Rail dashed />
      <span className="ml-1.5 flex h-7 min-w-0 items-center gap-2 rounded bg-tip px-2.5 text-12 whitespace-nowrap text-tip-on">
        <Icon of={Zap} size={14} />
        <b title={t('impossible')}>{t('impossibleShort')}</b>
        <span className="text-clip-line ml-auto min-w-0">{t('impossibleOf', { km, time })}</span>
      </span>
    </div>
  )
}
