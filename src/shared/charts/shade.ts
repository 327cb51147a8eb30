/** Five classes of one hue for counts on a small map. Lower bounds of classes 2 to 5: round numbers near 5, 15, 35 and 60 % of the highest count; strictly growing. */
export function shadeBreaks(counts: readonly number[]): number[] {
  const top = Math.max(0, ...counts)
  const breaks: number[] = []
  for (const share of [0.05, 0.15, 0.35, 0.6]) breaks.push(Math.max(roundTo(top * share), (breaks.at(-1) ?? 0) + 1))
  return breaks
}

/** Class 1 to 5; 0 for none. */
export function shadeOf(count: number, breaks: readonly number[]): number {
  return count <= 0 ? 0 : 1 + breaks.filter((bound) => count >= bound).length
}

function roundTo(value: number): number {
  if (value < 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const steps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10]
  const nearest = steps.reduce((a, b) => (Math.abs(b * power - value) < Math.abs(a * power - value) ? b : a))
  return Math.max(1, Math.round(nearest * power))
}
