import { Check, Minus, X } from 'lucide-react'
import type { Baseline } from '#contracts/http/baselines.ts'
import { CONTRADICTIONS, type Contradiction, reportedBuild } from '#domain/baseline.ts'
import type { EventRow } from '#domain/query.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { abnormalTexts } from './abnormal-texts.ts'

type Line = { key: string; word: string; declared: string[]; seen: string; state: 'same' | 'differs' | 'open' }

/** The lines of a comparison: what the baseline says beside what came back. */
export function differenceLines(
  event: EventRow,
  baseline: Baseline | null,
  words: { packageName: string; signer: string; channel: string },
): Line[] {
  const reported = reportedBuild(event.extra, event.channel)
  const line = (key: Contradiction | string, word: string, declared: readonly string[], seen: string): Line => ({
    key,
    word,
    declared: [...declared],
    seen,
    state: seen === '' || declared.length === 0 ? 'open' : declared.includes(seen) ? 'same' : 'differs',
  })
  const parts = [...new Set([...Object.keys(baseline?.hashes ?? {}), ...Object.keys(reported.hashes)])].sort()
  return [
    line('package', words.packageName, baseline?.package_name ? [baseline.package_name] : [], reported.packageName),
    line('signer', words.signer, baseline?.signers ?? [], reported.signer),
    line('channel', words.channel, baseline?.channels ?? [], reported.channel),
    ...parts.map((part) =>
      line(part, part, baseline?.hashes[part] ? [baseline.hashes[part]] : [], reported.hashes[part] ?? ''),
    ),
  ]
}

/** Reported beside baseline; only what differs is bold. */
export function DifferenceTable({
  event,
  baseline,
  isPirated,
}: {
  event: EventRow
  baseline: Baseline | null
  /** Its signer is the certificate of a known pirated copy. */
  isPirated: boolean
}) {
  const t = useTexts(abnormalTexts)
  const language = useLanguage()
  const lines = differenceLines(event, baseline, {
    packageName: t('packageName'),
    signer: t('signer'),
    channel: t('channel'),
  })
  return (
    <div className="overflow-x-auto px-5 pb-4">
      <table className="w-full border-collapse text-13 max-sm:table-fixed">
        <thead>
          <tr className="h-8 border-b text-left text-12 text-muted">
            <th className="w-40 pr-4 font-normal max-sm:w-20">{t('item')}</th>
            <th className="pr-4 font-normal">{t('declared')}</th>
            <th className="pr-4 font-normal">{t('seen')}</th>
            <th className="w-28 font-normal max-sm:w-20" />
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, word, declared, seen, state }) => (
            <tr key={key} data-item={key} data-state={state} className="border-b align-top">
              <td className="py-2 pr-4 text-muted">{word}</td>
              <td
                className={`py-2 pr-4 font-mono text-12 text-muted ${declared.length === 0 ? 'whitespace-nowrap' : 'break-all'}`}
              >
                {declared.length === 0
                  ? t('open')
                  : key === 'channel'
                    ? declared.join(', ')
                    : declared.map((one) => <div key={one}>{one}</div>)}
              </td>
              <td
                className={`py-2 pr-4 font-mono text-12 break-all ${state === 'differs' ? 'font-bold text-text' : 'text-muted'}`}
              >
                {seen || t('nothing')}
              </td>
              <td className="py-2 text-12 sm:whitespace-nowrap">
                {isPirated && key === 'signer' ? (
                  <span className="inline-flex items-center gap-1 text-bad-text">
                    <Icon of={X} size={14} />
                    {CONTRADICTIONS.pirated[language]}
                  </span>
                ) : state === 'differs' ? (
                  <span className="inline-flex items-center gap-1 text-bad-text">
                    <Icon of={X} size={14} />
                    {t('contradicts')}
                  </span>
                ) : state === 'same' ? (
                  <span className="inline-flex items-center gap-1 text-good-text">
                    <Icon of={Check} size={14} />
                    {t('matches')}
                  </span>
                ) : (
                  <span className="inline-flex items-center gap-1 text-muted">
                    <Icon of={Minus} size={14} />
                    {t('notCompared')}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
