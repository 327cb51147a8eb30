/**
 * Accessible steps of a theme colour (visual.md: brand as text, as a filled button, as tints), so that whatever colour a user picks,
 * text on it and text of it keep 4.5 : 1 in both faces. The default colour uses the hand-tuned tokens of tokens.css.
 */
export const DEFAULT_COLOR = '#409EFF'

type Rgb = readonly [number, number, number]

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}

/** The custom properties of both faces for this colour (a `#rrggbb`). */
export function brandSteps(color: string): { light: Record<string, string>; dark: Record<string, string> } {
  const base = parse(color)
  const white: Rgb = [255, 255, 255]
  const night: Rgb = [17, 26, 44]
  const ink: Rgb = [7, 17, 31]
  const lightSelected = mix(base, white, 0.1)
  const darkSelected = mix(base, night, 0.22)
  const lightFill = until(base, BLACK, (one) => contrast(one, white) >= 4.6)
  const darkFill = until(base, white, (one) => contrast(one, ink) >= 4.6)
  return {
    light: {
      brand: hex(until(base, BLACK, (one) => contrast(one, white) >= 2.6)),
      'brand-text': hex(until(base, BLACK, (one) => contrast(one, lightSelected) >= 4.8)),
      'brand-fill': hex(lightFill),
      'brand-fill-hover': hex(mix(BLACK, lightFill, 0.14)),
      'brand-on': '#ffffff',
      selected: hex(lightSelected),
      bar: hex(mix(base, white, 0.2)),
      'bar-hover': hex(mix(base, white, 0.38)),
      ring: `${hex(base)}52`,
    },
    dark: {
      brand: hex(until(base, white, (one) => contrast(one, night) >= 3)),
      'brand-text': hex(until(base, white, (one) => contrast(one, darkSelected) >= 4.8)),
      'brand-fill': hex(darkFill),
      'brand-fill-hover': hex(mix(white, darkFill, 0.18)),
      'brand-on': hex(ink),
      selected: hex(darkSelected),
      bar: hex(mix(base, night, 0.26)),
      'bar-hover': hex(mix(base, night, 0.42)),
      ring: `${hex(base)}6b`,
    },
  }
}

const BLACK: Rgb = [0, 0, 0]

/** Moves `from` towards `to` in small steps until it passes. */
function until(from: Rgb, to: Rgb, passes: (color: Rgb) => boolean): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const color = mix(to, from, share)
    if (passes(color)) return color
  }
  return to
}

/** `share` of `a` over `b`. */
function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [0, 1, 2].map((i) => Math.round((a[i] as number) * share + (b[i] as number) * (1 - share))) as unknown as Rgb
}

function parse(color: string): Rgb {
  if (!isColor(color)) throw new RangeError(`not a colour: ${color}`)
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb
}

function hex(color: Rgb): string {
  return `#${color.map((one) => one.toString(16).padStart(2, '0')).join('')}`
}

/** WCAG 2 contrast of two colours given as `#rrggbb`. */
export function contrastOf(a: string, b: string): number {
  return contrast(parse(a), parse(b))
}

function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((one) => {
    const share = one / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
