/** Shades of the map by count: six classes of one hue (--map-1 … --map-6), lighter is more. */
export const CLASSES = 6

/**
 * Lower bounds of classes 2 to 6: round numbers, spread so that the highest area reaches the last class and the rest still differ.
 * The same counts within a step give the same breaks, so shades do not flicker while counts grow.
 */
export function breaksFor(counts: readonly number[]): number[] {
  const top = Math.max(0, ...counts)
  if (top < CLASSES) return [1, 2, 3, 4, 5]
  return [0.05, 0.12, 0.24, 0.4, 0.6].map((share) => round(step(top) * share))
}

/** The count rounded down to 1, 1.5, 2, 3, 5 or 7 times a power of ten. */
function step(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count))
  return power * (([7, 5, 3, 2, 1.5].find((one) => count >= one * power) ?? 1) as number)
}

function round(value: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1)
  return Math.max(1, Math.round(value / power) * power)
}

/** Class 1 to 6 of a count; 0 for none. */
export function classOf(count: number, breaks: readonly number[]): number {
  if (count <= 0) return 0
  let found = 1
  for (const bound of breaks) if (count >= bound) found++
  return Math.min(CLASSES, found)
}
