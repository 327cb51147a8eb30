import type { Level } from './levels.ts'

/** Path of each level's shape in a box of 10: diamond, triangle, square, circle, dash. Colour is never the only sign of a level. */
export const LEVEL_SHAPES: Readonly<Record<Level, string>> = {
  critical: 'M5 0 10 5 5 10 0 5Z',
  high: 'M5 .6 10 9.4H0Z',
  medium: 'M.7.7h8.6v8.6H.7Z',
  low: 'M5 .3a4.7 4.7 0 1 1 0 9.4a4.7 4.7 0 1 1 0-9.4Z',
  info: 'M.4 3.6h9.2v2.8H.4Z',
}

/** Fill and edge of each level on white, six hexadecimal digits: those of the light console (src/shared/theme/tokens.css). */
export const LEVEL_COLORS: Readonly<Record<Level, { readonly fill: string; readonly edge: string }>> = {
  critical: { fill: 'c0143c', edge: 'c0143c' },
  high: { fill: 'f28c28', edge: 'b85c00' },
  medium: { fill: 'fbd84b', edge: '9a7d00' },
  low: { fill: '4b8fe3', edge: '1d6fd1' },
  info: { fill: '9aa6b8', edge: '5b6b7f' },
}

/** Levels of findings among those of events, with the shape as a character for documents that cannot draw. */
export const FINDING_MARKS = {
  high: { level: 'high', character: '▲' },
  middle: { level: 'medium', character: '■' },
  low: { level: 'low', character: '●' },
  info: { level: 'info', character: '▬' },
} as const satisfies Record<string, { level: Level; character: string }>
