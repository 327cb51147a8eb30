import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import type { FileDetail } from './compare-files.ts'
import { fileTexts } from './file-texts.ts'
import { SignatureIssues } from './signature-issues.tsx'

const STATES = { verified: 'good', partial: 'warn', broken: 'bad', unchecked: 'neutral', absent: 'neutral' } as const

const SCHEMES: Readonly<Record<string, string>> = { v31: 'v3.1', jar: 'JAR' }
const PARTS = { code: 'schemeCode', resources: 'schemeResources', profile: 'schemeProfile' } as const

/** Who signed the package, by which schemes, and what is wrong with it. */
export function SignerSection({ file }: { file: FileDetail }) {
  const t = useTexts(fileTexts)
  const zone = usePlatform((state) => state.zone)
  const { certificates, schemes, signature_issues: issues } = file.facts
  const nameOf = (scheme: string) =>
    scheme in PARTS ? t(PARTS[scheme as keyof typeof PARTS]) : (SCHEMES[scheme] ?? scheme)
  const day = (time: number) => formatDateTime(time, zone, 'day')
  return (
    <Section plain title={t('signer')} note={t(file.signature)} className="border-l max-lg:border-t max-lg:border-l-0">
      {file.signature === 'unknown' && <p className="px-5 pb-2 text-12 text-muted">{t('unknownNote')}</p>}
      {schemes.length > 0 && (
        <ul aria-label={t('schemes')} className="flex flex-wrap gap-2 px-5 pb-3">
          {schemes.map(({ scheme, state }) => (
            <li key={scheme}>
              <Chip tone={STATES[state as keyof typeof STATES] ?? 'neutral'}>
                {t('stateOf', { name: nameOf(scheme), state: t(state as 'absent') })}
              </Chip>
            </li>
          ))}
        </ul>
      )}
      {certificates.length === 0 && file.signature !== 'unknown' && <EmptyState kind="missing" title={t('noSigner')} />}
      {certificates.map((one) => (
        <dl
          key={one.sha256}
          className="grid grid-cols-[minmax(96px,auto)_minmax(0,1fr)] gap-x-5 [&_dd>span]:max-w-full gap-y-1.5 border-b px-5 pb-4 last:border-0"
        >
          <Fact name={t('subject')}>{one.subject}</Fact>
          {one.issuer !== one.subject && <Fact name={t('issuer')}>{one.issuer}</Fact>}
          <Fact name={t('serial')}>
            <code className="text-12">{one.serial}</code>
          </Fact>
          <Fact name={t('valid')}>{`${day(one.not_before)} – ${day(one.not_after)}`}</Fact>
          <Fact name={t('algorithm')}>{one.algorithm}</Fact>
          <Fact name={t('key')}>{one.key}</Fact>
          <Fact name="SHA-256">
            <CopyText value={one.sha256} />
          </Fact>
          <Fact name="SHA-1">
            <CopyText value={one.sha1} />
          </Fact>
          <Fact name="MD5">
            <CopyText value={one.md5} />
          </Fact>
        </dl>
      ))}
      {issues.length > 0 && <SignatureIssues issues={issues} />}
    </Section>
  )
}
