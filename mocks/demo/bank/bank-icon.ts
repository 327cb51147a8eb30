import { pngOf } from '#engines/icon/plain-png.ts'

/** Samples for each side of a pixel. */
const FINE = 4
const GREEN = [0x0b, 0x5d, 0x54] as const
const WHITE = [0xff, 0xff, 0xff] as const

/** The icon of the bank as PNG: a gable over three columns, white on a green square with round corners. */
export function bankIcon(side: number): Uint8Array {
  const data = new Uint8ClampedArray(side * side * 4)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      let [red, green, blue, covered] = [0, 0, 0, 0]
      for (let sample = 0; sample < FINE * FINE; sample++) {
        const color = colorAt((x + ((sample % FINE) + 0.5) / FINE) / side, (y + ((sample >> 2) + 0.5) / FINE) / side)
        if (!color) continue
        red += color[0]
        green += color[1]
        blue += color[2]
        covered++
      }
      const most = Math.max(1, covered)
      data.set([red / most, green / most, blue / most, (covered * 255) / FINE ** 2], (y * side + x) * 4)
    }
  return pngOf({ width: side, height: side, data })
}

/** In a square from 0 to 1; undefined outside of the icon. */
function colorAt(x: number, y: number): readonly [number, number, number] | undefined {
  const corner = (at: number) => Math.max(0, Math.abs(at - 0.5) - 0.28)
  if (Math.hypot(corner(x), corner(y)) > 0.2) return undefined
  const fromMiddle = Math.abs(x - 0.5)
  const gable = y > 0.22 && y < 0.4 && fromMiddle < (y - 0.2) * 1.5
  const columns = y > 0.45 && y < 0.66 && [0, 0.18].some((at) => Math.abs(fromMiddle - at) < 0.035)
  const base = y > 0.71 && y < 0.77 && fromMiddle < 0.28
  return gable || columns || base ? WHITE : GREEN
}
