/** A share 0 to 1 of a time to a share of a way; arguments outside are held. */
export type Easing = (t: number) => number

const SAMPLES = 256

/** A CSS cubic-bezier(x1, y1, x2, y2), read from a table: exact to about 0.001. */
export function cubicBezier(x1: number, y1: number, x2: number, y2: number): Easing {
  const table = new Float64Array(SAMPLES + 1)
  const at = (a: number, b: number, s: number) => 3 * (1 - s) * (1 - s) * s * a + 3 * (1 - s) * s * s * b + s * s * s
  for (let i = 0; i <= SAMPLES; i++) {
    let [low, high] = [0, 1]
    for (let step = 0; step < 24; step++) {
      const middle = (low + high) / 2
      if (at(x1, x2, middle) < i / SAMPLES) low = middle
      else high = middle
    }
    table[i] = at(y1, y2, (low + high) / 2)
  }
  table[0] = 0
  table[SAMPLES] = 1
  return (t) => {
    if (t <= 0) return 0
    if (t >= 1) return 1
    const i = Math.floor(t * SAMPLES)
    const before = table[i] as number
    return before + ((table[i + 1] as number) - before) * (t * SAMPLES - i)
  }
}

export const easeOut: Easing = (t) => 1 - (1 - Math.max(0, Math.min(1, t))) ** 3
