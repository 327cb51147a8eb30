import { Download } from 'lucide-react'
import { downloadLicence, type LicenceAnswer } from '#contracts/http/licence.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { DownloadLink } from '#src/shared/ui/download-link.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { licenceTexts } from './licence-texts.ts'

/** The licences that were applied, newest first, and by whom. */
export function LicenceHistory({ licence }: { licence: LicenceAnswer }) {
  const t = useTexts(licenceTexts)
  const zone = usePlatform((state) => state.zone)
  const day = (at: number) => formatDateTime(at, zone, 'day')
  const limit = (value: number | null) => (value === null ? t('unlimited') : String(value))
  return (
    <Section plain title={t('history')} note={t('historyNote')} className="border-t">
      {licence.history.length === 0 ? (
        <p className="px-5 pb-4 text-muted">{t('noHistory')}</p>
      ) : (
        <ul className="px-5 pb-3" data-testid="licence-history">
          {licence.history.map(({ id, applied_at, applied_by, terms }) => (
            <li key={id} className="flex min-w-0 items-center gap-3 border-b py-1.5 last:border-b-0">
              <span className="flex-none text-muted tabular-nums" title={formatDateTime(applied_at, zone)}>
                {day(applied_at)}
              </span>
              <span className="min-w-0 flex-1">
                <span className="block [overflow-wrap:anywhere]">
                  {terms ? `${terms.id} → ${day(terms.not_after)}` : t('unreadable')}
                </span>
                <span className="flex min-w-0 flex-wrap gap-x-3 text-12 text-muted">
                  {terms && (
                    <span>
                      {t('applications')} {limit(terms.applications)}, {t('users')} {limit(terms.users)}
                    </span>
                  )}
                  <span className="text-clip-line max-w-full" title={applied_by}>
                    {applied_by}
                  </span>
                </span>
              </span>
              <DownloadLink
                icon={Download}
                href={downloadHref(downloadLicence, { id: String(id) })}
                label={`${t('download')} ${terms?.id ?? id}`}
              />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
