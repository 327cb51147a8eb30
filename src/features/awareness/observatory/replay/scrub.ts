import type { ArcTuple } from '#contracts/live/messages.ts'
import { arcOf } from './replay.ts'
import type { ReplayPart } from './replay-part.ts'
import type { FetchWindow } from './replay-window.ts'

const HOUR = 3_600_000
/** Hours kept; the map shows this many attacks of a bar at most. */
const KEPT = 6
const MOST = 40
/** The running hour is read again after this long. */
const FRESH_MS = 60_000

/** What happened in one bar of the time line: every attack counted, a sample of those with a place. */
export type Moment = { from: number; to: number; attacks: number; arcs: ArcTuple[] }

export type Scrub = {
  /** The bar under the pointer; only the newest wish is answered. Null ends it. */
  want(span: { from: number; to: number } | null): void
  close(): void
}

/**
 * Reads past bars for a pointer that is drawn over the time line: stored events by the hour, one request at a time, the newest wish
 * first. `now` bounds what can be asked. `show` gets null where nothing is wanted, and where the hour cannot be read (`isUnreadable`).
 */
export function createScrub(
  fetchPart: FetchWindow,
  now: () => number,
  show: (moment: Moment | null, isUnreadable: boolean) => void,
): Scrub {
  const parts = new Map<number, { readTo: number; readAt: number; part: ReplayPart }>()
  let wanted: { from: number; to: number } | null = null
  let busy = false
  let closed = false

  function answer(): void {
    if (closed) return
    if (!wanted) {
      show(null, false)
      return
    }
    const hour = Math.floor(wanted.from / HOUR) * HOUR
    const known = parts.get(hour)
    // The end of a running bar lies ahead: what was read a moment ago is all there is.
    if (known && (known.readTo >= Math.min(wanted.to, hour + HOUR) || now() - known.readAt < FRESH_MS)) {
      show(momentOf(known.part, wanted), false)
      return
    }
    if (busy) return
    busy = true
    const readAt = now()
    const readTo = Math.min(hour + HOUR, Math.max(hour + 1000, readAt))
    fetchPart(hour, readTo).then(
      (part) => {
        busy = false
        parts.set(hour, { readTo, readAt, part })
        if (parts.size > KEPT) parts.delete(parts.keys().next().value as number)
        answer()
      },
      () => {
        busy = false
        if (closed || !wanted) return
        // The next movement asks again.
        wanted = null
        show(null, true)
      },
    )
  }

  return {
    want(span) {
      if (span && wanted && span.from === wanted.from) return
      wanted = span
      answer()
    },
    close() {
      closed = true
    },
  }
}

/** Attacks of a span from the seconds of its hour, exactly; arcs spread evenly over the rows that have a place. */
export function momentOf({ seconds, sample }: ReplayPart, { from, to }: { from: number; to: number }): Moment {
  let attacks = 0
  for (const [second, critical, high, medium, low, info] of seconds)
    if (second >= from && second < to) attacks += critical + high + medium + low + info
  const arcs = sample.filter(({ receivedAt }) => receivedAt >= from && receivedAt < to).flatMap(arcOf)
  const step = Math.max(1, arcs.length / MOST)
  return {
    from,
    to,
    attacks,
    arcs: arcs.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step)).slice(0, MOST),
  }
}
