import { SCRIPT_REASONS, SCRIPT_STRENGTHS, type ScriptOutcome } from '#contracts/http/js-protection.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { jsTexts } from './js-texts.ts'

/** What became of each file of a run. */
export function OutcomeTable({ outcomes }: { outcomes: readonly ScriptOutcome[] }) {
  const t = useTexts(jsTexts)
  const language = useLanguage()
  const columns: Column<ScriptOutcome>[] = [
    {
      id: 'file',
      header: t('file'),
      cell: ({ name }) => (
        <span className="text-clip-line block" title={name}>
          {name}
        </span>
      ),
    },
    {
      id: 'size',
      header: t('bytes'),
      width: '152px',
      numeric: true,
      wide: true,
      cell: ({ size, bytes }) => t('sizes', { before: formatBytes(size), after: formatBytes(bytes) }),
    },
    {
      id: 'strength',
      header: t('got'),
      width: '110px',
      cell: ({ strength, outcome }) => (
        <span className={outcome === 'kept' ? 'text-bad-text' : ''}>
          {strength ? SCRIPT_STRENGTHS[strength][language] : t('outcomeKept')}
        </span>
      ),
    },
    {
      id: 'reason',
      header: t('reason'),
      cell: ({ reason, line, column, detail, eval_lines }) => (
        <span className="text-clip-line block" title={detail}>
          {[
            reason ? SCRIPT_REASONS[reason][language] : '',
            line > 0 ? t('at', { line, column }) : '',
            line > 0 ? detail : '',
            eval_lines.length > 0 ? t('evalLines', { lines: eval_lines.slice(0, 5).join(', ') }) : '',
          ]
            .filter(Boolean)
            .join(language === 'zh' ? '，' : ', ') || '—'}
        </span>
      ),
    },
  ]
  return <DataTable label={t('result')} columns={columns} rows={outcomes} rowKey={({ name }) => name} density="dense" />
}
