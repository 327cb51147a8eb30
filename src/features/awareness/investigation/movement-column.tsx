import { Pause, Play, Table2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IMPOSSIBLE_KMH, PRECISION_KM, type Trail, type TrailStop } from '#domain/trail.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { placeText, useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { roughly, shortPlace, spanText } from './spans.ts'
import { TimeStrip } from './time-strip.tsx'
import { traceTexts } from './trace-texts.ts'
import { StopNumber } from './trail-column.tsx'
import { MOST_LEGS } from './travel-geometry.ts'
import { TravelMap } from './travel-map.tsx'

const PLAY_MS = 1400

/** Map, table and time strip of the stops; a stop has the same number in all three. */
export function MovementColumn({
  trail,
  current,
  tableOnly,
  onTableOnly,
  onStop,
}: {
  trail: Trail
  current: number | null
  tableOnly: boolean
  onTableOnly: () => void
  onStop: (number: number) => void
}) {
  const t = useTexts(traceTexts)
  const language = useLanguage()
  const approval = usePlatform((state) => state.mapApproval)
  const placed = trail.stops.filter(({ place }) => place.lon !== null)
  const places = new Set(placed.map(({ place }) => `${place.country}.${place.province}.${place.city}`)).size
  const moves = placed.filter(({ move }) => move && move.km >= 1).length
  const play = usePlay(trail.stops.length, current, onStop)
  const step = (by: 1 | -1) =>
    onStop(Math.min(trail.stops.length, Math.max(1, (current ?? (by > 0 ? 0 : trail.stops.length + 1)) + by)))
  useActions([
    { id: 'trace.next', label: t('nextStop'), group: t('title'), keys: 'j', run: () => step(1) },
    { id: 'trace.previous', label: t('previousStop'), group: t('title'), keys: 'k', run: () => step(-1) },
  ])
  return (
    <Section
      plain
      className="min-h-0"
      bodyClassName="overflow-auto max-lg:overflow-visible"
      title={t('movement')}
      note={
        placed.length > 0 && (
          <>
            {t('movementStops', { count: placed.length })}
            {language === 'zh' ? '，' : ', '}
            {t('movementPlaces', { count: places, km: roughly(trail.km) })}
            {moves > MOST_LEGS && ` · ${t('legsCut', { count: MOST_LEGS })}`}
          </>
        )
      }
      actions={
        <IconButton size="small" label={t('asTable')} icon={Table2} isSelected={tableOnly} onPress={onTableOnly} />
      }
    >
      {placed.length === 0 ? (
        <p className="px-5 py-6 text-12 text-muted">{t('noPlaces')}</p>
      ) : (
        !tableOnly && (
          <div className="mx-auto w-full max-w-[max(360px,calc((100vh-560px)*1.3))] px-3">
            <TravelMap stops={trail.stops} current={current} onStop={onStop} />
            <p className="px-2 text-12 text-muted" aria-hidden>
              {t('approval', { number: approval ?? t('noApproval') })}
            </p>
          </div>
        )
      )}
      <StopTable stops={trail.stops} current={current} onStop={onStop} />
      <p className="border-t px-5 py-1.5 text-12 text-muted">{t('rule', { ...PRECISION_KM, kmh: IMPOSSIBLE_KMH })}</p>
      <div className="sticky bottom-0 mt-auto flex items-center gap-1 border-t bg-surface px-3 pt-1">
        <IconButton
          label={t(play.isOn ? 'stopPlay' : 'play')}
          icon={play.isOn ? Pause : Play}
          isDisabled={trail.stops.length < 2}
          onPress={play.toggle}
        />
        <TimeStrip trail={trail} current={current} onStop={onStop} />
      </div>
    </Section>
  )
}

/** Chooses one stop after the other, from the chosen one on. */
function usePlay(stops: number, current: number | null, onStop: (number: number) => void) {
  const [isOn, setOn] = useState(false)
  const go = useRef(onStop)
  go.current = onStop
  useEffect(() => {
    if (!isOn) return
    const next = (current ?? 0) + 1
    if (next > stops) {
      setOn(false)
      return
    }
    const timer = setTimeout(() => go.current(next), PLAY_MS)
    return () => clearTimeout(timer)
  }, [isOn, current, stops])
  return {
    isOn,
    toggle: () => {
      if (!isOn && current === stops) onStop(1)
      setOn(!isOn)
    },
  }
}

function StopTable({
  stops,
  current,
  onStop,
}: {
  stops: readonly TrailStop[]
  current: number | null
  onStop: (number: number) => void
}) {
  const t = useTexts(traceTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const zone = usePlatform((state) => state.zone)
  const columns = ['arrived', 'stay', 'distance', 'after', 'speed'] as const
  return (
    <div className="max-h-80 flex-none overflow-auto border-t">
      <table aria-label={t('movement')} className="w-full border-collapse text-body">
        <thead className="sticky top-0 z-1 bg-surface">
          <tr className="h-8 text-12 text-muted [&>th]:px-1.5 [&>th]:font-normal [&>th]:whitespace-nowrap">
            <th scope="col" className="pl-5! text-left">
              {t('stop')}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className={column === 'arrived' ? 'text-left' : 'text-right last:pr-5'}>
                {t(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {stops.map((stop) => {
            const { move } = stop
            const isCurrent = stop.number === current
            return (
              <tr
                key={stop.number}
                className={`relative h-8 border-t text-12 whitespace-nowrap [&>td]:px-1.5 ${isCurrent ? 'bg-selected shadow-[inset_2px_0_var(--brand)]' : 'hover:bg-hover'}`}
              >
                <td className="pl-5!">
                  <button
                    type="button"
                    aria-pressed={isCurrent}
                    onClick={() => onStop(stop.number)}
                    className="flex max-w-36 items-center gap-2 text-14 after:absolute after:inset-0"
                  >
                    <span className="flex-none">
                      <StopNumber number={stop.number} />
                    </span>
                    <span className="sr-only">{stop.number}</span>
                    <span className="text-clip-line" title={placeText(stop.place, nameOf, language)}>
                      {shortPlace(stop.place, nameOf, language)}
                    </span>
                  </button>
                </td>
                <td className="text-muted">{formatDateTime(stop.from, zone, 'minute', Date.now())}</td>
                <td className="text-right text-muted">{spanText(stop.to - stop.from, language)}</td>
                <td className="text-right">{move ? `${roughly(move.km)} km` : '–'}</td>
                <td className="text-right">{move ? spanText(move.ms, language) : '–'}</td>
                <td className={`pr-5! text-right ${move?.impossible ? 'font-semibold' : ''}`}>
                  {!move ? (
                    '–'
                  ) : move.judged ? (
                    <span title={move.impossible ? t('impossible') : undefined}>
                      {roughly(move.kmh)} km/h
                      {move.impossible && <span className="sr-only"> {t('impossible')}</span>}
                    </span>
                  ) : (
                    <span className="text-muted">{t('notJudged')}</span>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
