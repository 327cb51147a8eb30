import { OWNER_KINDS, type OwnerKind } from '#contracts/detection/kinds.ts'
import { formatExact, formatPercent } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Fact } from '#src/shared/ui/fact.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'
import { useReportItems } from './use-report-items.ts'

/** How much was read, what was taken as own code, and every part that was left out, with the reason. */
export function CoverageTab(props: PartProps) {
  const t = useTexts(reportTexts)
  const language = useLanguage()
  const { coverage, not_assessed: notes } = props.summary
  const { items } = useReportItems(props)
  const left = items.filter((one) => one.verdict === 'not_assessed')
  const bars = [
    { name: t('classesRead'), read: coverage.classesRead, total: coverage.classes },
    { name: t('methodsRead'), read: coverage.methodsRead, total: coverage.methods },
    { name: t('entriesRead'), read: coverage.entriesRead, total: coverage.entries },
  ]
  return (
    <div className="grid grid-cols-2 gap-x-10 py-4 max-lg:grid-cols-1">
      <section>
        {bars.map(({ name, read, total }) => (
          <div key={name} className="pb-3">
            <div className="flex justify-between pb-1">
              <span>{name}</span>
              <span className="text-muted tabular-nums">
                {t('readOf', { read: formatExact(read), total: formatExact(total) })}
              </span>
            </div>
            <ProgressBar label={name} value={total === 0 ? 0 : read / total} tone={read < total ? 'brand' : 'good'} />
          </div>
        ))}
        <dl className="grid grid-cols-[160px_minmax(0,1fr)] gap-x-3 gap-y-2 pt-2">
          <Fact name={t('obfuscated')}>{formatPercent(coverage.obfuscated)}</Fact>
          {coverage.owners && (
            <Fact name={t('classOwners')}>
              {Object.entries(OWNER_KINDS)
                .map(([kind, name]) => `${name[language]} ${formatExact(coverage.owners?.[kind as OwnerKind] ?? 0)}`)
                .join(' · ')}
            </Fact>
          )}
          <Fact name={t('ownPrefixes')}>
            {coverage.ownPrefixes.length === 0 ? (
              <span className="text-muted">{t('noPrefixes')}</span>
            ) : (
              <span className="font-mono text-12">{coverage.ownPrefixes.join(', ')}</span>
            )}
          </Fact>
        </dl>
      </section>
      <section className="max-lg:pt-4">
        <h2 className="pb-1 text-14 font-semibold">{t('reasons')}</h2>
        {notes.length === 0 ? (
          <p className="text-muted">{t('whole')}</p>
        ) : (
          <ul>
            {notes.map((note, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: notes may share their key and have no other identity
              <li key={index} className="border-b py-1.5 [overflow-wrap:anywhere] first-letter:uppercase">
                {note.text[language]}
              </li>
            ))}
          </ul>
        )}
        {left.length > 0 && (
          <>
            <h2 className="pt-5 pb-1 text-14 font-semibold">
              {t('notItems')} <span className="font-normal text-muted">{left.length}</span>
            </h2>
            <ul>
              {left.map(({ item }) => (
                <li key={item.id} className="border-b py-1.5">
                  {item.name[language]}
                  {item.reason && (
                    <span className="block text-12 text-muted first-letter:uppercase">{item.reason[language]}</span>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
    </div>
  )
}
