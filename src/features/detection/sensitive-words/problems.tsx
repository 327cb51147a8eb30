import type { WordProblem } from '#contracts/http/sensitive-words.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { wordsTexts } from './words-texts.ts'

/** What was not taken, and why; of a file with its lines. */
export function Problems({
  problems,
  total,
  withLine = true,
}: {
  problems: readonly WordProblem[]
  total: number
  withLine?: boolean
}) {
  const t = useTexts(wordsTexts)
  return (
    <ul className="max-h-56 overflow-y-auto rounded border bg-warn-soft px-3 py-2 text-12" data-testid="word-problems">
      {problems.map(({ line, value, reason }) => (
        <li key={`${line} ${value} ${reason}`} className="flex gap-2 py-0.5">
          {withLine && <span className="w-20 flex-none text-muted tabular-nums">{t('problemLine', { line })}</span>}
          <span className="min-w-0 flex-1 text-clip-line font-mono">{value}</span>
          <span className="flex-none text-warn-text">{t(reason)}</span>
        </li>
      ))}
      {total > problems.length && (
        <li className="pt-1 text-muted">{t('moreProblems', { count: total - problems.length })}</li>
      )}
    </ul>
  )
}
