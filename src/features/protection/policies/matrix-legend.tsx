import { useTexts } from '#src/shared/i18n/texts.ts'
import { policyTexts } from './policy-texts.ts'

/** What disc and ring stand for. */
export function MatrixLegend({ base, draft }: { base: number | undefined; draft: string }) {
  const t = useTexts(policyTexts)
  return (
    <span className="flex items-center gap-3 pr-2 text-12 text-muted max-sm:hidden">
      <span className="flex items-center gap-1.5">
        <span aria-hidden className="size-3 rounded-full bg-brand-fill" />
        {draft}
      </span>
      {base !== undefined && (
        <span className="flex items-center gap-1.5">
          <span aria-hidden className="size-3 rounded-full border-2 border-brand" />
          {t('changedMark', { version: `v${base}` })}
        </span>
      )}
    </span>
  )
}
