import { LevelCounts } from '#src/features/detection/parts/finding-level.tsx'
import { GateMark } from '#src/features/detection/parts/gate-mark.tsx'
import { useTexts } from '#src/shared/i18n/texts.ts'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'

/** The three answers of the summary in one line, where a part of the report needs the room; it leads back to them. */
export function SummaryLine({ summary, address }: Pick<PartProps, 'summary' | 'address'>) {
  const t = useTexts(reportTexts)
  const open = () => address.setParams({ tab: null, find: null, open: null, show: null, page: null })
  return (
    <button
      type="button"
      title={t('toSummary')}
      onClick={open}
      className="flex w-full flex-wrap items-center gap-x-6 gap-y-1 border-y py-2 text-left hover:bg-hover"
    >
      <span className="font-semibold">
        <GateMark gate={summary.gate.conditions.length > 0 ? summary.gate.verdict : null} />
      </span>
      <span>
        <b className="font-semibold tabular-nums">{summary.score.value}</b> {t('of100')}
      </span>
      <LevelCounts counts={summary.counts} info />
      {(summary.verdicts.not_assessed ?? 0) > 0 && (
        <span className="text-12 text-muted">
          {t('notAssessed')} {summary.verdicts.not_assessed}
        </span>
      )}
    </button>
  )
}
