import { nextDay, type Span, startOfDay, zoneOffset } from '#domain/time-range.ts'

const HOUR = 3_600_000
/** Shorter spans are read whole: what could be remembered of them is not worth a question of its own. */
const LEAST_MS = 6 * HOUR
const MOST_PIECES = 500

/** A whole day of the zone, or a whole hour: what is counted of its rows is remembered (partials.ts). */
export type Piece = Span & { name: string }
/** Pieces stand one after the other; what they leave of the span at its ends is read anew each time. */
export type Cut = { pieces: readonly Piece[]; edges: readonly Span[] }

/** Cuts a span into whole days and, at its ends, hours; `by` hour: into hours alone. */
export function cutSpan(span: Span, zone: string, by: 'day' | 'hour'): Cut {
  const whole: Cut = { pieces: [], edges: [span] }
  const shift = zoneOffset(span.from, zone) % HOUR
  const start = Math.ceil((span.from + shift) / HOUR) * HOUR - shift
  const end = Math.floor((span.to + shift) / HOUR) * HOUR - shift
  if (end - start < LEAST_MS) return whole
  const pieces: Piece[] = []
  for (let from = start; from < end; from = (pieces.at(-1) as Piece).to) {
    const next = by === 'day' ? dayFrom(from, zone) : undefined
    if (next !== undefined && next <= end) pieces.push({ name: `day ${from} ${next}`, from, to: next })
    else pieces.push({ name: `hour ${from}`, from, to: from + HOUR })
    if (pieces.length > MOST_PIECES) return whole
  }
  const edges = [
    { from: span.from, to: start },
    { from: end, to: span.to },
  ]
  return { pieces, edges: edges.filter(({ from, to }) => from < to) }
}

/** The end of the day that begins at this moment, or undefined where none does. */
function dayFrom(at: number, zone: string): number | undefined {
  return startOfDay(at, zone) === at ? nextDay(at, zone) : undefined
}

/** Pieces that one question reads together: a day alone, hours as many as follow each other. */
export function runsOf(pieces: readonly Piece[]): Piece[][] {
  const runs: Piece[][] = []
  for (const piece of pieces) {
    const last = runs.at(-1)
    const before = last?.at(-1)
    const joins = before && isHour(before) && isHour(piece) && before.to === piece.from && (last?.length ?? 0) < 24
    if (joins) last?.push(piece)
    else runs.push([piece])
  }
  return runs
}

const isHour = ({ from, to }: Piece) => to - from === HOUR

/** The days that lie in the span as a whole; undefined where there are none. */
export function wholeDays({ from, to }: Span, zone: string): Span | undefined {
  const midnight = startOfDay(from, zone)
  const first = midnight === from ? from : nextDay(midnight, zone)
  const last = startOfDay(to, zone)
  return first < last ? { from: first, to: last } : undefined
}

/** The span in steps of so many times 24 hours, the earliest first: rows of one day are few enough to be held in memory. */
export function stepsOf({ from, to }: Span, days = 1): Span[] {
  const [steps, width]: [Span[], number] = [[], days * 24 * HOUR]
  for (let at = from; at < to; at += width) steps.push({ from: at, to: Math.min(to, at + width) })
  return steps
}
