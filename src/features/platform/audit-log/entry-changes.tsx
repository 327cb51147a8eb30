import type { AuditChange } from '#contracts/audit-change.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Section } from '#src/shared/ui/section.tsx'
import { entryTexts } from './entry-texts.ts'
import { changeLines, fieldName } from './field-words.ts'

/** Values before and after, field by field; nothing where the entry changed none. */
export function EntryChanges({ changes }: { changes: readonly AuditChange[] }) {
  const t = useTexts(entryTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  if (changes.length === 0) return null
  const words = { language, zone, nothing: t('nothing'), yes: t('yes'), no: t('no') }
  return (
    <Section
      plain
      title={t('changes')}
      actions={<span className="pr-2 text-12 text-muted">{t('fields', { count: changes.length })}</span>}
      className="border-b pb-3"
    >
      <dl className="px-5">
        {changes.map((change) => (
          <div
            key={change.field}
            className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 border-b py-2 last:border-b-0"
          >
            <dt className="pt-0.5 text-muted [overflow-wrap:anywhere]">{fieldName(change.field, language)}</dt>
            <dd className="min-w-0">
              {change.secret ? (
                <span className="text-muted">{t('secret')}</span>
              ) : (
                <div className="overflow-hidden rounded border font-mono text-12/[19px]">
                  {changeLines(change, words).map(({ sign, text }) => (
                    <div
                      key={`${sign}${text}`}
                      className={`flex gap-2 px-2 [overflow-wrap:anywhere] ${sign === '-' ? 'bg-bad-soft' : 'bg-good-soft'}`}
                    >
                      <span aria-hidden className={sign === '-' ? 'text-bad-text' : 'text-good-text'}>
                        {sign === '-' ? '−' : '+'}
                      </span>
                      <span className="sr-only">{t(sign === '-' ? 'before' : 'after')}</span>
                      <span className="min-w-0 whitespace-pre-wrap">{text}</span>
                    </div>
                  ))}
                </div>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {changes.some(({ secret }) => secret) && <p className="px-5 pt-1 text-12 text-muted">{t('secretNote')}</p>}
    </Section>
  )
}
