import { LEVEL_SHAPES } from '#domain/level-marks.ts'
import { LEVELS, type Level } from '#domain/levels.ts'
import { useLanguage } from '../i18n/texts.ts'

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
