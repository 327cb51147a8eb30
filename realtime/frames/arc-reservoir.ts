import { ARC_SAMPLE, type ArcTuple } from '#contracts/live/messages.ts'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import { BLOCKED_FROM } from '#domain/vocabulary.ts'

/** A fair sample of the attacks with a place since the last take: each has the same chance to be drawn. */
export type ArcReservoir = {
  offer(arc: ArcTuple): void
  take(): { arcs: ArcTuple[]; of: number }
}

/** `random` answers numbers in [0, 1). */
export function createArcReservoir(random: () => number): ArcReservoir {
  let arcs: ArcTuple[] = []
  let of = 0
  return {
    offer(arc) {
      of++
      if (arcs.length < ARC_SAMPLE) arcs.push(arc)
      else {
        const slot = Math.floor(random() * of)
        if (slot < ARC_SAMPLE) arcs[slot] = arc
      }
    },
    take() {
      const taken = { arcs, of }
      arcs = []
      of = 0
      return taken
    },
  }
}

/** Undefined where the event has no place: it counts in the tray, never at (0, 0). Degrees to four decimals, about 11 m. */
export function toArc(e: StoredEvent): ArcTuple | undefined {
  if (e.lon === null || e.lat === null) return undefined
  return [
    e.id,
    Math.round(e.lon * 1e4) / 1e4,
    Math.round(e.lat * 1e4) / 1e4,
    e.site,
    e.level,
    e.risk,
    e.receivedAt,
    String(e.app),
    e.action >= BLOCKED_FROM ? 1 : 0,
  ]
}
