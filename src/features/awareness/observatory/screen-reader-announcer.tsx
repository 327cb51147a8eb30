import { useEffect, useRef, useState } from 'react'
import type { EventRow } from '#domain/query.ts'
import { eventTitle } from '../../../shared/events/event-words.ts'
import { useNameOf } from '../../../shared/query/value-names.ts'
import { placeOf } from './feed-card.tsx'

const AT_MOST_EVERY_MS = 10_000

/** Announces critical attacks to screen readers, at most one every 10 s. */
export function ScreenReaderAnnouncer({
  feed,
  language,
  text,
}: {
  feed: readonly EventRow[]
  language: 'zh' | 'en'
  text: (risk: string, place: string) => string
}) {
  const nameOf = useNameOf()
  const announced = useRef({ at: 0, id: '' })
  const [words, setWords] = useState('')
  useEffect(() => {
    const newest = feed.find((row) => row.level === 'critical')
    if (!newest || newest.id === announced.current.id || Date.now() - announced.current.at < AT_MOST_EVERY_MS) return
    announced.current = { at: Date.now(), id: newest.id }
    setWords(text(eventTitle(newest, language), placeOf(newest, nameOf)))
  }, [feed, language, text, nameOf])
  return (
    <p className="sr-only" aria-live="polite">
      {words}
    </p>
  )
}
