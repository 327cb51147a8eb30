import type { TrailStop } from '#domain/trail.ts'

/** What the map draws of a trail, in the map's own units; pure, so that it can be tested without a picture. */
export type Point = [number, number]
export type Project = (lon: number, lat: number) => Point
export type StopMark = { point: Point; stops: TrailStop[] }
export type Leg = {
  key: number
  path: string
  arrow: { at: Point; angle: number }
  /** Points along it where its text may stand, the best first. */
  spots: Point[]
  /** Points all along it, for texts to keep clear of. */
  course: Point[]
  stop: TrailStop
}

/** The picture stays readable with so many legs: the last ones. */
export const MOST_LEGS = 60

/** Stops of the same place share a mark. */
export function marksOf(stops: readonly TrailStop[], project: Project): StopMark[] {
  const marks = new Map<string, StopMark>()
  for (const stop of stops) {
    const { lon, lat, country, province, city } = stop.place
    if (lon === null || lat === null) continue
    const key = `${country}.${province}.${city}`
    const mark = marks.get(key) ?? { point: project(lon, lat), stops: [] }
    marks.set(key, mark)
    mark.stops.push(stop)
  }
  return [...marks.values()]
}

/** Movements as bows: there and back are two of them, since each bends to its own right. */
export function legsOf(stops: readonly TrailStop[], project: Project): Leg[] {
  const legs: Leg[] = []
  for (const [index, stop] of stops.entries()) {
    const before = stops[index - 1]
    if (!before || !stop.move || stop.move.km < 1) continue
    const { place: from } = before
    const { place: to } = stop
    if (from.lon === null || from.lat === null || to.lon === null || to.lat === null) continue
    legs.push({ key: stop.number, stop, ...bow(project(from.lon, from.lat), project(to.lon, to.lat)) })
  }
  return legs.slice(-MOST_LEGS)
}

function bow(a: Point, b: Point): Omit<Leg, 'key' | 'stop'> {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  const bend = 0.2
  const control: Point = [(a[0] + b[0]) / 2 - dy * bend, (a[1] + b[1]) / 2 + dx * bend]
  const at = (s: number): Point => [
    (1 - s) ** 2 * a[0] + 2 * s * (1 - s) * control[0] + s * s * b[0],
    (1 - s) ** 2 * a[1] + 2 * s * (1 - s) * control[1] + s * s * b[1],
  ]
  const [near, head] = [at(0.6), at(0.64)]
  return {
    path: `M${round(a)}Q${round(control)} ${round(b)}`,
    arrow: { at: head, angle: (Math.atan2(head[1] - near[1], head[0] - near[0]) * 180) / Math.PI },
    spots: [0.45, 0.5, 0.4, 0.55, 0.35, 0.62, 0.3, 0.7, 0.25, 0.8, 0.2].map(at),
    course: Array.from({ length: 19 }, (_, index) => at((index + 1) / 20)),
  }
}

const round = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`

export type Box = { x: number; y: number; width: number; height: number }
export type Placed<T> = { item: T; x: number; y: number; anchor: 'start' | 'end' }

/** Names beside their marks, right, left, below, above, or at a corner: the first place where nothing is in the way; else no name. */
export function placeNames<T>(
  wishes: readonly { item: T; point: Point; width: number; height: number; mark: Box }[],
  bounds: Box,
  taken: readonly Box[],
  gap: number,
): Placed<T>[] {
  const occupied = [...taken, ...wishes.map((wish) => wish.mark)]
  const placed: Placed<T>[] = []
  for (const { item, point, width, height, mark } of wishes) {
    const [, py] = point
    const options: (Box & { anchor: 'start' | 'end' })[] = [
      { x: mark.x + mark.width + gap, y: py - height / 2, width, height, anchor: 'start' },
      { x: mark.x - gap - width, y: py - height / 2, width, height, anchor: 'end' },
      { x: mark.x, y: mark.y + mark.height + gap / 2, width, height, anchor: 'start' },
      { x: mark.x, y: mark.y - gap / 2 - height, width, height, anchor: 'start' },
      { x: mark.x + mark.width, y: mark.y - height + gap, width, height, anchor: 'start' },
      { x: mark.x - width, y: mark.y + mark.height - gap, width, height, anchor: 'end' },
      { x: mark.x + mark.width, y: mark.y + mark.height - gap, width, height, anchor: 'start' },
      { x: mark.x - width, y: mark.y - height + gap, width, height, anchor: 'end' },
    ]
    const free = options.find((box) => inside(box, bounds) && !occupied.some((other) => overlap(box, other)))
    if (!free) continue
    occupied.push(free)
    placed.push({ item, x: free.anchor === 'start' ? free.x : free.x + width, y: free.y, anchor: free.anchor })
  }
  return placed
}

const inside = (a: Box, b: Box) =>
  a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height
const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Boxes on or just above and below the spots of each: the first where nothing is in the way, else where least is. */
export function placePills<T>(
  wishes: readonly { item: T; spots: readonly Point[]; width: number; height: number }[],
  bounds: Box,
  taken: readonly Box[],
): { item: T; box: Box }[] {
  const occupied = [...taken]
  return wishes.map(({ item, spots, width, height }) => {
    const boxes = [0, -1, 1].flatMap((rows) =>
      spots.map(([x, y]): Box => ({ x: x - width / 2, y: y + (1.2 * rows - 0.5) * height, width, height })),
    )
    let box = boxes[0] as Box
    let least = Infinity
    for (const one of boxes) {
      const covered = occupied.reduce(
        (sum, other) => sum + shared(one, other),
        inside(one, bounds) ? 0 : width * height,
      )
      if (covered >= least) continue
      least = covered
      box = one
      if (covered === 0) break
    }
    occupied.push(box)
    return { item, box }
  })
}

/** Area that both cover. */
function shared(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return Math.max(0, width) * Math.max(0, height)
}
