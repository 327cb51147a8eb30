import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'
import { signatureWords } from './signature-words.ts'

/** Who signed it: the certificates as they were verified. */
export function CertificatesTab({ summary }: PartProps) {
  const t = useTexts(reportTexts)
  const zone = usePlatform((state) => state.zone)
  if (summary.certificates.length === 0)
    return <EmptyState kind="none" title={t('noCertificate')} hint={t('noCertificateHint')} />
  return (
    <div>
      <p className={`py-3 ${summary.package.schemes.length ? 'text-muted' : 'text-warn-text'}`}>
        {t(...signatureWords(summary.package))}
      </p>
      {summary.certificates.map((one) => (
        <dl key={one.sha256} className="grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-2 border-t py-4">
          <Fact name={t('subject')}>{one.subject}</Fact>
          <Fact name={t('issuer')}>
            {one.issuer === one.subject ? <span className="text-muted">{t('selfSigned')}</span> : one.issuer}
          </Fact>
          <Fact name={t('serial')}>
            <span className="font-mono text-12">{one.serial}</span>
          </Fact>
          <Fact name={t('valid')}>
            {t('validFor', {
              from: formatDateTime(one.notBefore, zone, 'day'),
              to: formatDateTime(one.notAfter, zone, 'day'),
            })}{' '}
            {one.notAfter < Date.now() && <Chip tone="bad">{t('expired')}</Chip>}
          </Fact>
          <Fact name={t('algorithm')}>
            {one.algorithm}, {t('bits', { bits: one.keyBits })}
          </Fact>
          {(['md5', 'sha1', 'sha256'] as const).map((hash) => (
            <Fact key={hash} name={hash.toUpperCase().replace('SHA', 'SHA-')}>
              <CopyText value={one[hash]} />
            </Fact>
          ))}
        </dl>
      ))}
    </div>
  )
}
