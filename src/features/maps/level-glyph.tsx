import type { Level } from '#contracts/vocabulary.ts'
import { LEVEL_SHAPES } from '../../shared/ui/level-mark.tsx'

/** The level's shape, sized by the wall's unit; the word stands beside it or is told by `label`. */
export function LevelGlyph({ level, label }: { level: Level; label?: string }) {
  return (
    <svg
      viewBox="0 0 10 10"
      className="wall-mark"
      fill={`var(--level-${level})`}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path d={LEVEL_SHAPES[level]} />
    </svg>
  )
}
