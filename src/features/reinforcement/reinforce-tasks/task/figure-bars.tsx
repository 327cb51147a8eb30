import type { PackageFigures } from '#contracts/http/reinforce-tasks.ts'
import { FIGURES, figureChange, figureRows, figureText } from '#domain/package-figures.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Section } from '#src/shared/ui/section.tsx'
import { resultTexts } from './result-texts.ts'

/** Figures of both packages as two bars a row, each row on its own scale. */
export function FigureBars({ before, after }: { before: PackageFigures; after: PackageFigures }) {
  const t = useTexts(resultTexts)
  const language = useLanguage()
  return (
    <Section
      plain
      title={t('figures')}
      actions={
        <span aria-hidden className="flex items-center gap-4 pr-2 text-12 text-muted">
          <span className="inline-flex items-center gap-1.5">
            <span className="h-2 w-3.5 rounded-[2px] bg-faint" />
            {t('original')}
          </span>
          <span className="inline-flex items-center gap-1.5">
            <span className="h-2 w-3.5 rounded-[2px] bg-brand" />
            {t('reinforced')}
          </span>
        </span>
      }
    >
      <table className="mx-5 mb-4 w-[calc(100%-40px)]">
        <thead className="sr-only">
          <tr>
            {(['figure', 'original', 'reinforced', 'change'] as const).map((key) => (
              <th key={key} scope="col">
                {t(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figureRows(before, after).map((row) => {
            const top = Math.max(row.before, row.after)
            const change = figureChange(row)
            return (
              <tr key={row.key} className="h-8">
                <th scope="row" className="w-px pr-6 text-left font-normal whitespace-nowrap">
                  {FIGURES[row.key][language]}
                </th>
                <td className="text-right whitespace-nowrap text-muted tabular-nums">
                  <span className="flex items-center gap-4">
                    <span aria-hidden className="flex min-w-10 flex-1 flex-col gap-0.5 max-sm:hidden">
                      <Bar share={row.before / top} color="bg-faint" />
                      <Bar share={row.after / top} color="bg-brand" />
                    </span>
                    <span className="min-w-16 max-sm:ml-auto">{figureText(row.before, row.unit)}</span>
                  </span>
                </td>
                <td className="w-24 pl-4 text-right whitespace-nowrap tabular-nums">
                  {figureText(row.after, row.unit)}
                </td>
                <td
                  className={`w-24 pl-4 text-right whitespace-nowrap tabular-nums ${change ? 'font-semibold' : 'text-muted'}`}
                >
                  {change || t('same')}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Section>
  )
}

function Bar({ share, color }: { share: number; color: string }) {
  return (
    <span
      className={`block h-1.5 rounded-[2px] ${color}`}
      style={{ width: share > 0 ? `max(2px, ${100 * share}%)` : 0 }}
    />
  )
}
