import { COPY_VERDICTS, PIRATED_VERDICTS, type Verdict } from '#contracts/http/monitoring/tasks.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'

/** A verdict as a word, without hue: pirated ones inverse, the others outlined. */
export function VerdictTag({ verdict }: { verdict: Verdict }) {
  const language = useLanguage()
  const isPirated = PIRATED_VERDICTS.includes(verdict)
  return (
    <span
      className={`inline-flex h-5 flex-none items-center rounded-small border px-1.5 text-12 whitespace-nowrap ${isPirated ? 'border-transparent bg-text font-semibold text-surface' : 'border-line-strong text-muted'}`}
    >
      {COPY_VERDICTS[verdict][language]}
    </span>
  )
}
