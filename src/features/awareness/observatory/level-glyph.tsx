import { LEVEL_SHAPES } from '#domain/level-marks.ts'
import type { Level } from '#domain/vocabulary.ts'

/** The level's shape, sized by the wall's unit; `label` is its accessible name where no word is beside it. */
export function LevelGlyph({ level, label }: { level: Level; label?: string }) {
  return (
    <>
      <svg viewBox="0 0 10 10" className="wall-mark" fill={`var(--level-${level})`} aria-hidden>
        <path d={LEVEL_SHAPES[level]} />
      </svg>
      {label && <span className="sr-only">{label}</span>}
    </>
  )
}
