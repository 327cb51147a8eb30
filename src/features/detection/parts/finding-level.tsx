import { FINDING_LEVELS, type FindingLevel } from '#contracts/detection/kinds.ts'
import type { Level } from '#domain/vocabulary.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'

/** Findings have no 'critical'; their shapes and colours are those of the levels of events. */
const SHAPE = { high: 'high', middle: 'medium', low: 'low', info: 'info' } as const satisfies Record<
  FindingLevel,
  Level
>
export const FINDING_LEVEL_ORDER = ['high', 'middle', 'low', 'info'] as const satisfies readonly FindingLevel[]

/** The level of an item as shape and word; `word={false}` keeps the word for readers only. */
export function FindingLevelMark({
  level,
  word = true,
  size = 10,
}: {
  level: FindingLevel
  word?: boolean
  size?: number
}) {
  const language = useLanguage()
  return (
    <span
      className="inline-flex items-center gap-1.5 whitespace-nowrap"
      title={word ? undefined : FINDING_LEVELS[level][language]}
    >
      <span aria-hidden className="inline-flex">
        <LevelMark level={SHAPE[level]} word={false} size={size} />
      </span>
      <span className={word ? '' : 'sr-only'}>{FINDING_LEVELS[level][language]}</span>
    </span>
  )
}

/** Failed items by level, in one line; levels without any are drawn quietly so that columns align. */
export function LevelCounts({
  counts,
  info = false,
}: {
  counts: Readonly<Record<FindingLevel, number>>
  info?: boolean
}) {
  return (
    <span className="inline-flex items-center gap-3 tabular-nums">
      {FINDING_LEVEL_ORDER.filter((level) => info || level !== 'info').map((level) => (
        <span
          key={level}
          className={`inline-flex min-w-8 items-center gap-1 ${counts[level] === 0 ? 'text-muted' : ''}`}
        >
          <FindingLevelMark level={level} word={false} size={9} />
          {counts[level]}
        </span>
      ))}
    </span>
  )
}
