import { nextDay, type Span, startOfDay, zoneOffset } from '#domain/time-range.ts'

const HOUR = 3_600_000
/** Shorter spans are read whole: caching their parts would not save a query. */
const MIN_SPLIT_MS = 6 * HOUR
const MAX_PIECES = 500

/** A whole day of the zone, or a whole hour: the unit of caching (aggregate-cache.ts). */
export type SpanPiece = Span & { name: string }
/** Contiguous pieces, and the parts of the span at its ends that are read on each query. */
export type SplitSpan = { pieces: readonly SpanPiece[]; edges: readonly Span[] }

/** Cuts a span into whole days and, at its ends, hours; `by` hour: into hours alone. */
export function splitSpan(span: Span, zone: string, by: 'day' | 'hour'): SplitSpan {
  const whole: SplitSpan = { pieces: [], edges: [span] }
  const shift = zoneOffset(span.from, zone) % HOUR
  const start = Math.ceil((span.from + shift) / HOUR) * HOUR - shift
  const end = Math.floor((span.to + shift) / HOUR) * HOUR - shift
  if (end - start < MIN_SPLIT_MS) return whole
  const pieces: SpanPiece[] = []
  for (let from = start; from < end; from = (pieces.at(-1) as SpanPiece).to) {
    const next = by === 'day' ? dayFrom(from, zone) : undefined
    if (next !== undefined && next <= end) pieces.push({ name: `day ${from} ${next}`, from, to: next })
    else pieces.push({ name: `hour ${from}`, from, to: from + HOUR })
    if (pieces.length > MAX_PIECES) return whole
  }
  const edges = [
    { from: span.from, to: start },
    { from: end, to: span.to },
  ]
  return { pieces, edges: edges.filter(({ from, to }) => from < to) }
}

/** The end of the day that starts at this moment; undefined when no day starts there. */
function dayFrom(at: number, zone: string): number | undefined {
  return startOfDay(at, zone) === at ? nextDay(at, zone) : undefined
}

/** Pieces that one question reads together: a day alone, hours as many as follow each other. */
export function runsOf(pieces: readonly SpanPiece[]): SpanPiece[][] {
  const runs: SpanPiece[][] = []
  for (const piece of pieces) {
    const last = runs.at(-1)
    const before = last?.at(-1)
    const joins = before && isHour(before) && isHour(piece) && before.to === piece.from && (last?.length ?? 0) < 24
    if (joins) last?.push(piece)
    else runs.push([piece])
  }
  return runs
}

const isHour = ({ from, to }: SpanPiece) => to - from === HOUR

/** The whole days within the span; undefined when there are none. */
export function wholeDays({ from, to }: Span, zone: string): Span | undefined {
  const midnight = startOfDay(from, zone)
  const first = midnight === from ? from : nextDay(midnight, zone)
  const last = startOfDay(to, zone)
  return first < last ? { from: first, to: last } : undefined
}

/** The span in steps of `days` times 24 hours, earliest first: the rows of one day fit into memory. */
export function splitByDays({ from, to }: Span, days = 1): Span[] {
  const [steps, width]: [Span[], number] = [[], days * 24 * HOUR]
  for (let at = from; at < to; at += width) steps.push({ from: at, to: Math.min(to, at + width) })
  return steps
}
