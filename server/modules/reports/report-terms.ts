import { FINDING_LEVELS } from '#contracts/detection/kinds.ts'
import { FINDING_MARKS, LEVEL_COLORS } from '#domain/level-marks.ts'
import { GATE_WORDS, SUPPRESSED_WORD } from '#domain/verdict-words.ts'
import type { ReportTerms } from '#engines/report/report-context.ts'

const colors = (level: keyof typeof FINDING_MARKS) => LEVEL_COLORS[FINDING_MARKS[level].level]

/** What a report calls and colours as the screens do. */
export const REPORT_TERMS: ReportTerms = {
  gate: GATE_WORDS,
  suppressed: SUPPRESSED_WORD,
  levels: FINDING_LEVELS,
  colors: { high: colors('high'), middle: colors('middle'), low: colors('low'), info: colors('info') },
}
