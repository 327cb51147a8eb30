import { Copy } from 'lucide-react'
import type { SignatureReading } from '#contracts/http/tools.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { CopyText, copyToClipboard } from '#src/shared/ui/copy-text.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { FACTS } from './facts.ts'
import { toolsTexts } from './tools-texts.ts'

type Certificate = Omit<SignatureReading['groups'][number]['certificates'][number], 'pem'> & { pem?: string }

/** Certificates in the order of their chain, each whole. */
export function CertificateList({ certificates }: { certificates: readonly Certificate[] }) {
  const t = useTexts(toolsTexts)
  const zone = usePlatform((state) => state.zone)
  const day = (time: number) => formatDateTime(time, zone, 'day')
  const now = Date.now()
  return certificates.map((one, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a chain may name one certificate twice, and never moves
    <dl key={at} className={`${FACTS} border-b last:border-0`}>
      <Fact name={t('subject')}>{one.subject || '-'}</Fact>
      {one.issuer !== one.subject && <Fact name={t('issuer')}>{one.issuer}</Fact>}
      <Fact name={t('serial')}>
        <code className="text-12">{one.serial}</code>
      </Fact>
      <Fact name={t('valid')}>
        {`${day(one.not_before)} – ${day(one.not_after)}`}
        {one.not_after < now && (
          <span className="pl-2">
            <Chip tone="bad">{t('expired')}</Chip>
          </span>
        )}
        {one.not_before > now && (
          <span className="pl-2">
            <Chip tone="warn">{t('notYet')}</Chip>
          </span>
        )}
      </Fact>
      <Fact name={t('algorithm')}>{one.algorithm}</Fact>
      <Fact name={t('publicKey')}>
        {one.key}
        {(one.caveats ?? []).map((caveat) => (
          <span key={caveat} className="pl-2">
            <Chip tone="warn">{t(caveat)}</Chip>
          </span>
        ))}
      </Fact>
      <Fact name="SHA-256">
        <CopyText value={one.sha256} />
      </Fact>
      <Fact name="SHA-1">
        <CopyText value={one.sha1} />
      </Fact>
      <Fact name="MD5">
        <CopyText value={one.md5} />
      </Fact>
      {one.pem && (
        <Fact name="PEM">
          <Button size="small" icon={Copy} onPress={() => void copyToClipboard(one.pem ?? '')}>
            {t('copyPem')}
          </Button>
        </Fact>
      )}
    </dl>
  ))
}
