import { LEVELS, type Level } from '#domain/vocabulary.ts'
import { useLanguage } from '../i18n/texts.ts'

/** Diamond, triangle, square, circle, dash: colour is never the only sign of a level. Drawn in a box of 10. */
export const LEVEL_SHAPES: Record<Level, string> = {
  critical: 'M5 0 10 5 5 10 0 5Z',
  high: 'M5 .6 10 9.4H0Z',
  medium: 'M.7.7h8.6v8.6H.7Z',
  low: 'M5 .3a4.7 4.7 0 1 1 0 9.4a4.7 4.7 0 1 1 0-9.4Z',
  info: 'M.4 3.6h9.2v2.8H.4Z',
}

/** The level as shape and word, the word in text colour; `word={false}` keeps the shape alone, with the word for readers. */
export function LevelMark({ level, word = true, size = 10 }: { level: Level; word?: boolean; size?: number }) {
  const language = useLanguage()
  const text = LEVELS[level][language]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap" title={word ? undefined : text}>
      <svg
        viewBox="0 0 10 10"
        width={size}
        height={size}
        aria-hidden="true"
        className="flex-none overflow-visible"
        style={{ fill: `var(--level-${level})`, stroke: `var(--edge-${level})`, strokeWidth: 0.9 }}
      >
        <path d={LEVEL_SHAPES[level]} />
      </svg>
      {word ? text : <span className="sr-only">{text}</span>}
    </span>
  )
}
