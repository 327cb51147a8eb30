import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LEVELS_BY_SEVERITY } from '#domain/vocabulary.ts'

/** Levels must stay apart for every eye: Machado 2009 (severity 1) and CIEDE2000 on the tokens as they stand. */
type Triple = [number, number, number]
const css = readFileSync('src/shared/theme/tokens.css', 'utf8')
const [light = '', dark = ''] = css.split(/\[data-theme=['"]dark['"]\] \{/)
const faces = { light, dark }
const fills = (face: keyof typeof faces) =>
  LEVELS_BY_SEVERITY.map((level) => {
    const hex = new RegExp(`--level-${level}: #([0-9a-f]{6})`).exec(faces[face])?.[1]
    if (!hex) throw new Error(`no token for ${level}`)
    return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as Triple
  })

const MACHADO: Record<string, [Triple, Triple, Triple]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}
const linear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
const times = (matrix: [Triple, Triple, Triple], v: Triple) =>
  matrix.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as Triple

function lab(rgb: Triple, vision: [Triple, Triple, Triple]): Triple {
  const seen = times(vision, rgb.map(linear) as Triple).map((c) => Math.max(0, Math.min(1, c))) as Triple
  const xyz = times(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    seen,
  )
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27) * (t / 116) + 4 / 29)
  const [x, y, z] = [f(xyz[0] / 0.95047), f(xyz[1]), f(xyz[2] / 1.08883)]
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

function ciede2000([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const rad = Math.PI / 180
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2
  const g = 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)))
  const [p1, p2] = [a1 * (1 + g), a2 * (1 + g)]
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)]
  const hue = (a: number, b: number) => (a === 0 && b === 0 ? 0 : (Math.atan2(b, a) / rad + 360) % 360)
  const [h1, h2] = [hue(p1, b1), hue(p2, b2)]
  let dh = c1 * c2 === 0 ? 0 : h2 - h1
  if (dh > 180) dh -= 360
  if (dh < -180) dh += 360
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin((dh / 2) * rad)
  const [lm, cm] = [(l1 + l2) / 2, (c1 + c2) / 2]
  const hm =
    c1 * c2 === 0 ? h1 + h2 : Math.abs(h1 - h2) <= 180 ? (h1 + h2) / 2 : (h1 + h2 + (h1 + h2 < 360 ? 360 : -360)) / 2
  const t =
    1 -
    0.17 * Math.cos((hm - 30) * rad) +
    0.24 * Math.cos(2 * hm * rad) +
    0.32 * Math.cos((3 * hm + 6) * rad) -
    0.2 * Math.cos((4 * hm - 63) * rad)
  const sl = 1 + (0.015 * (lm - 50) ** 2) / Math.sqrt(20 + (lm - 50) ** 2)
  const [sc, sh] = [1 + 0.045 * cm, 1 + 0.015 * cm * t]
  const rt = -Math.sin(60 * Math.exp(-(((hm - 275) / 25) ** 2)) * rad) * 2 * Math.sqrt(cm ** 7 / (cm ** 7 + 25 ** 7))
  const [L, C, H] = [(l2 - l1) / sl, (c2 - c1) / sc, dH / sh]
  return Math.sqrt(L * L + C * C + H * H + rt * C * H)
}

describe('[OBS-01] level colours', () => {
  test('the yardstick measures what the literature says', () => {
    expect(ciede2000([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4)
    expect(ciede2000([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387])).toBeCloseTo(1.2644, 4)
  })

  for (const face of ['light', 'dark'] as const)
    for (const [vision, matrix] of Object.entries(MACHADO))
      test(`${face}, ${vision}: any two differ by at least 12`, () => {
        const seen = fills(face).map((rgb) => lab(rgb, matrix))
        const differences = seen.flatMap((a, i) => seen.slice(i + 1).map((b) => ciede2000(a, b)))
        expect(differences).toHaveLength(10)
        expect(Math.min(...differences)).toBeGreaterThanOrEqual(12)
      })
})
