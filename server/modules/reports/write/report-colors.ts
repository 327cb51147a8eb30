import { FINDING_MARKS, LEVEL_COLORS, LEVEL_SHAPES } from '#domain/level-marks.ts'
import type { Tone } from '#engines/report/document.ts'

export const INK = '1f2d3d'
/** Colours on white of all tones but levels, which have text colour and a shape beside them. Red and green are those of verdict and gate. */
export const TONE_COLORS: Readonly<Record<Tone, string>> = {
  high: INK,
  middle: INK,
  low: INK,
  info: INK,
  good: '138a5b',
  bad: 'c81e4f',
  strong: INK,
  quiet: '5b6b7f',
}

export type LevelTone = keyof typeof FINDING_MARKS

export const isLevel = (tone: Tone | undefined): tone is LevelTone => tone !== undefined && tone in FINDING_MARKS
export const edgeOf = (tone: LevelTone | undefined): string =>
  tone ? LEVEL_COLORS[FINDING_MARKS[tone].level].edge : '9aa6b8'

export const fillOf = (tone: LevelTone): string => LEVEL_COLORS[FINDING_MARKS[tone].level].fill

/** The shape of a level with its fill and edge, as SVG. */
export function shapeOf(tone: LevelTone): string {
  const { level } = FINDING_MARKS[tone]
  const { fill, edge } = LEVEL_COLORS[level]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="11" height="11" viewBox="-.5 -.5 11 11"><path d="${LEVEL_SHAPES[level]}" fill="#${fill}" stroke="#${edge}" stroke-width=".9"/></svg>`
}
