import type { TrailStop } from '#domain/trail.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { roughly, spanText } from './spans.ts'
import { traceTexts } from './trace-texts.ts'
import {
  type Box,
  type Leg,
  legsOf,
  marksOf,
  type Project,
  placeNames,
  placePills,
  type StopMark,
} from './travel-geometry.ts'

/** Numbers in one mark; further stops of the place are counted. */
const NUMBERS = 4
/** Legs whose distance and time stand on the map. */
const NAMED_STOPS = 2
/** Of so many legs names keep clear; of more there is no clear place. */
const LEGS_CLEAR = 12

export type View = { width: number; height: number; project: Project; inset?: Box }

/** Legs, numbered marks and names over a map. `scale` is map units a pixel: strokes and texts keep their size. */
export function TravelOverlay({
  view,
  scale,
  stops,
  current,
  nameAt,
  noteAt,
  onStop,
}: {
  view: View
  scale: number
  stops: readonly TrailStop[]
  current: number | null
  nameAt: (stop: TrailStop) => string
  noteAt: (stop: TrailStop) => string
  onStop: (number: number) => void
}) {
  const language = useLanguage()
  const marks = marksOf(stops, view.project)
  const legs = legsOf(stops, view.project)
  const worst = legs
    .filter(({ stop }) => stop.move?.impossible)
    .sort((a, b) => (b.stop.move?.kmh ?? 0) - (a.stop.move?.kmh ?? 0))
    .slice(0, NAMED_STOPS)
  const bounds = { x: 0, y: 0, width: view.width, height: view.height }
  const markBoxes = marks.map((mark) => markBox(mark, scale))
  const pills = placePills(
    worst.map((leg) => {
      const text = pillText(leg, language)
      const item = { text, key: leg.key }
      return { item, spots: leg.spots, width: scale * (widthOf(text) + 20), height: scale * 22 }
    }),
    bounds,
    [...markBoxes, ...(view.inset ? [view.inset] : [])],
  )
  const names = placeNames(
    marks.map((mark) => ({
      item: mark,
      point: mark.point,
      mark: markBox(mark, scale),
      width: scale * Math.max(...textsOf(mark, nameAt, noteAt).map((text) => widthOf(text))),
      height: scale * 30,
    })),
    bounds,
    [
      ...pills.map((pill) => pill.box),
      ...(view.inset ? [view.inset] : []),
      ...legs.slice(-LEGS_CLEAR).flatMap((leg) => leg.course.map((point) => dot(point, scale * 3))),
    ],
    scale * 5,
  )
  return (
    <>
      {legs.map((leg) => (
        <LegPath key={leg.key} leg={leg} scale={scale} isCurrent={leg.stop.number === current} />
      ))}
      {names.map(({ item, x, y, anchor }) => {
        const [name, note] = textsOf(item, nameAt, noteAt)
        return (
          <g
            key={item.stops[0]?.number}
            transform={`translate(${x} ${y}) scale(${scale})`}
            textAnchor={anchor}
            fontSize="12"
          >
            <text y="12" fontWeight="600" fill="var(--text)" {...HALO}>
              {name}
            </text>
            <text y="27" fill="var(--muted)" {...HALO}>
              {note}
            </text>
          </g>
        )
      })}
      {pills.map(({ box, item: { text, key } }) => (
        <g key={key} transform={`translate(${box.x} ${box.y}) scale(${scale})`}>
          <rect width={box.width / scale} height={box.height / scale} rx="4" fill="var(--tip)" />
          <text
            x={box.width / scale / 2}
            y="15"
            textAnchor="middle"
            fontSize="12"
            fontWeight="600"
            fill="var(--tip-on)"
          >
            {text}
          </text>
        </g>
      ))}
      {marks.map((mark) => (
        <StopMarkView key={mark.stops[0]?.number} mark={mark} scale={scale} current={current} onStop={onStop} />
      ))}
    </>
  )
}

const HALO = { stroke: 'var(--surface)', strokeWidth: 3, paintOrder: 'stroke' } as const

function LegPath({ leg, scale, isCurrent }: { leg: Leg; scale: number; isCurrent: boolean }) {
  const impossible = leg.stop.move?.impossible === true
  const color = impossible ? 'var(--text)' : 'var(--brand-fill)'
  const width = (impossible ? 2.2 : 1.5) + (isCurrent ? 1 : 0)
  return (
    <g fill="none">
      <path d={leg.path} stroke="var(--surface)" strokeOpacity="0.85" strokeWidth={(width + 3) * scale} />
      <path
        d={leg.path}
        stroke={color}
        strokeWidth={width * scale}
        {...(impossible && { strokeDasharray: `${6 * scale} ${4 * scale}` })}
      />
      <path
        d="M-4-4.5 5 0-4 4.5Z"
        transform={`translate(${leg.arrow.at[0]} ${leg.arrow.at[1]}) rotate(${leg.arrow.angle}) scale(${scale})`}
        fill={color}
        stroke="var(--surface)"
        strokeWidth="1.5"
      />
    </g>
  )
}

function StopMarkView({
  mark,
  scale,
  current,
  onStop,
}: {
  mark: StopMark
  scale: number
  current: number | null
  onStop: (number: number) => void
}) {
  const t = useTexts(traceTexts)
  const shown = mark.stops.slice(0, mark.stops.length > NUMBERS ? NUMBERS - 1 : NUMBERS)
  const rest = mark.stops.length - shown.length
  const count = shown.length + (rest > 0 ? 1 : 0)
  const offset = (index: number) => (index - (count - 1) / 2) * 22
  return (
    <g transform={`translate(${mark.point[0]} ${mark.point[1]}) scale(${scale})`} fontSize="11" textAnchor="middle">
      {shown.map((stop, index) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: trail and table are the keyboard twins of the map
        <g
          key={stop.number}
          className="cursor-pointer"
          onClick={() => onStop(stop.number)}
          transform={`translate(${offset(index)} 0)`}
        >
          {stop.number === current && <circle r="14" fill="none" stroke="var(--ring)" strokeWidth="5" />}
          <circle r="10" fill="var(--text)" stroke="var(--surface)" strokeWidth="2" />
          <text y="4" fontWeight="600" fill="var(--surface)">
            {stop.number}
          </text>
          <title>{`${t('stop')} ${stop.number}`}</title>
        </g>
      ))}
      {rest > 0 && (
        <g transform={`translate(${offset(shown.length)} 0)`}>
          <circle r="10" fill="var(--surface)" stroke="var(--text)" strokeWidth="1" />
          <text y="4" fill="var(--text)">
            +{rest}
          </text>
        </g>
      )}
    </g>
  )
}

const dot = ([x, y]: [number, number], size: number): Box => ({
  x: x - size,
  y: y - size,
  width: 2 * size,
  height: 2 * size,
})

function markBox(mark: StopMark, scale: number): Box {
  const width = scale * (22 * Math.min(NUMBERS, mark.stops.length) + 4)
  const height = scale * 24
  return { x: mark.point[0] - width / 2, y: mark.point[1] - height / 2, width, height }
}

function textsOf(
  mark: StopMark,
  nameAt: (stop: TrailStop) => string,
  noteAt: (stop: TrailStop) => string,
): [name: string, note: string] {
  const [first] = mark.stops
  return first ? [nameAt(first), noteAt(first)] : ['', '']
}

/** About how wide a text of 12 px is. */
function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += (letter.codePointAt(0) ?? 0) > 0x2e80 ? 12.2 : 6.9
  return width
}

function pillText({ stop }: Leg, language: 'zh' | 'en'): string {
  const { km = 0, ms = 0 } = stop.move ?? {}
  return `${roughly(km)} km${language === 'zh' ? '，' : ', '}${spanText(ms, language)}`
}
