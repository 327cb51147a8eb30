import { type CSSProperties, useRef, useState } from 'react'
import type { EventRow } from '#domain/query.ts'
import { LEVELS } from '#domain/vocabulary.ts'
import { eventLevel, eventTitle, isBlocked } from '../../../shared/events/event-words.ts'
import { concerns } from './alert/alert-focus.ts'
import { LevelGlyph } from './level-glyph.tsx'
import { OutcomeGlyph } from './outcome-glyph.tsx'
import { useFit } from './use-layout-unit.ts'
import { clockTime, useWall } from './wall-context.ts'

const ROW = 48

/** The newest attacks in words, newest first. Under the pointer or the focus the list pauses while the wall goes on. */
export function FeedCard({
  feed,
  ready,
  marked,
  onMark,
}: {
  feed: readonly EventRow[]
  /** False before the first frame: that nothing arrived is not known then. */
  ready: boolean
  marked: string | null
  onMark: (id: string | null) => void
}) {
  const { t, unit, replaying } = useWall()
  const list = useRef<HTMLUListElement>(null)
  const fit = useFit(list, unit, ROW, 12)
  const [held, setHeld] = useState<readonly EventRow[] | null>(null)
  const shown = (held ?? feed).slice(0, fit)
  return (
    <section className="wall-card">
      <h2>
        <span>{t(replaying ? 'feedReplay' : 'feed')}</span>
        <small>{t(held ? 'heldHover' : 'byArrival')}</small>
      </h2>
      <ul
        className="wall-feed"
        ref={list}
        data-testid="feed"
        onPointerEnter={() => setHeld(feed)}
        onPointerLeave={() => {
          setHeld(null)
          onMark(null)
        }}
        onFocus={() => setHeld((before) => before ?? feed)}
        onBlur={() => setHeld(null)}
      >
        {shown.map((row, i) => (
          <li
            key={row.id}
            onPointerEnter={() => onMark(row.id)}
            style={{ '--hue': `var(--level-${eventLevel(row) ?? 'info'})` } as CSSProperties}
            {...(i === 0 && !held && { 'data-newest': true })}
          >
            <FeedLine row={row} marked={row.id === marked} />
          </li>
        ))}
        {shown.length === 0 && (
          <li className="wall-note" style={{ padding: '0 calc(8 * var(--u))' }}>
            {t(ready ? 'noFeed' : 'readingList')}
          </li>
        )}
      </ul>
    </section>
  )
}

function FeedLine({ row, marked }: { row: EventRow; marked: boolean }) {
  const { t, language, zone, nameOf, open, alert } = useWall()
  const concern = alert && { 'data-concern': concerns(alert.alert, row) ? 'yes' : 'no' }
  const level = eventLevel(row) ?? 'info'
  const content = (
    <>
      <LevelGlyph level={level} />
      <b>{eventTitle(row, language)}</b>
      <span>{clockTime(row.receivedAt, zone)}</span>
      <small>
        <span>{LEVELS[level][language]}</span>
        <span>{placeOf(row, nameOf)}</span>
        <span>{nameOf('app', row.app)}</span>
      </small>
      <small className="wall-outcome-line" data-blocked={isBlocked(row)}>
        <OutcomeGlyph blocked={isBlocked(row)} />
        {t(isBlocked(row) ? 'blocked' : 'observed')}
      </small>
    </>
  )
  const style = marked ? { background: 'var(--wall-bar)' } : undefined
  return open ? (
    <button
      type="button"
      className="wall-event"
      style={style}
      data-event={row.id}
      {...concern}
      onClick={() => open(row)}
    >
      {content}
    </button>
  ) : (
    <span className="wall-event" style={style} {...concern}>
      {content}
    </span>
  )
}

/** The narrowest name there is: the city, else the province, else the country or 'no place'. */
export function placeOf(
  row: Pick<EventRow, 'city' | 'province' | 'country'>,
  nameOf: (field: 'city' | 'province' | 'country', code: string) => string,
): string {
  const known = (code: string) => code !== '' && code !== '0'
  if (known(row.city)) return nameOf('city', row.city)
  if (known(row.province)) return nameOf('province', row.province)
  return nameOf('country', row.country)
}
