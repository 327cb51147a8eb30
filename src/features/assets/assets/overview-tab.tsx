import { Link } from 'react-router-dom'
import { APPLICATION_TYPES, FILE_TYPES } from '#contracts/detection/kinds.ts'
import { PAGES } from '#contracts/pages.ts'
import { PLATFORMS } from '#domain/vocabulary.ts'
import { formatBytes, formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { assetTexts } from './asset-texts.ts'
import type { FileDetail } from './compare-files.ts'
import { Protection } from './file-columns.tsx'
import { fileTexts } from './file-texts.ts'
import { SignerSection } from './signer-section.tsx'

const FACTS = 'grid grid-cols-[minmax(96px,auto)_minmax(0,1fr)] gap-x-5 [&_dd>span]:max-w-full gap-y-1.5 px-5 pt-1 pb-4'

/** What the package is and who signed it. */
export function OverviewTab({ file }: { file: FileDetail }) {
  return (
    <div className="grid gap-x-6 lg:grid-cols-2">
      <div className="min-w-0">
        <IdentitySection file={file} />
        <ContentSection file={file} />
      </div>
      <SignerSection file={file} />
    </div>
  )
}

function IdentitySection({ file }: { file: FileDetail }) {
  const t = useTexts(fileTexts)
  const a = useTexts(assetTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  return (
    <Section plain title={t('identity')}>
      <dl className={FACTS}>
        <Fact name={t('fileName')}>{file.file_name}</Fact>
        {file.version && (
          <Fact name={t('version')}>{file.version_code ? `${file.version} (${file.version_code})` : file.version}</Fact>
        )}
        {file.package_name && (
          <Fact name={t('package')}>
            <CopyText value={file.package_name} />
          </Fact>
        )}
        <Fact name={t('appid')}>
          {file.appid === null ? (
            <span className="text-muted">{t('noApp')}</span>
          ) : (
            <Link to={`${PAGES.user_analysis.path}?appid=${file.appid}`} className="text-brand-text hover:underline">
              {file.appid} {file.application}
            </Link>
          )}
        </Fact>
        <Fact name={t('type')}>
          {file.type === '' ? (
            <span className="text-muted">{t('noType')}</span>
          ) : (
            APPLICATION_TYPES[file.type][language]
          )}
        </Fact>
        <Fact
          name={t('kind')}
        >{`${FILE_TYPES[file.file_type][language]}${file.kind === FILE_TYPES[file.file_type].kind ? '' : ` (${file.kind})`}`}</Fact>
        <Fact name={t('platform')}>{PLATFORMS[file.platform][language]}</Fact>
        <Fact name={t('size')}>
          <span title={t('bytes', { number: formatExact(file.size) })}>{formatBytes(file.size)}</span>
        </Fact>
        <Fact name="MD5">
          <CopyText value={file.md5} />
        </Fact>
        <Fact name="SHA-256">
          <CopyText value={file.sha256} />
        </Fact>
        <Fact name={t('protection')}>
          <Protection file={file} />
          {file.packer && <span className="pl-2 text-12 text-muted">{t('byPacker', { name: file.packer })}</span>}
        </Fact>
        <Fact name={t('pushed')}>
          {a(file.pushed ? 'yes' : 'no')}
          {(file.pushed || file.version_pushed) && (
            <span className="pl-2 text-12 text-muted">{t(file.pushed ? 'pushedNote' : 'byHand')}</span>
          )}
        </Fact>
        <Fact name={t('uploadedAt')}>{formatDateTime(file.uploaded_at, zone)}</Fact>
        <Fact name={t('operator')}>{file.operator}</Fact>
      </dl>
    </Section>
  )
}

const WARNS = new Set(['debuggable', 'test_only', 'cleartext'])

function ContentSection({ file: { facts } }: { file: FileDetail }) {
  const t = useTexts(fileTexts)
  const known = (key: string) => key in fileTexts.entries
  return (
    <Section plain title={t('content')}>
      <dl className={FACTS}>
        {facts.identity.map(({ key, value }) => (
          <Fact key={key} name={known(key) ? t(key as 'min_sdk') : key}>
            {value === 'true' || value === 'false' ? (
              value === 'true' && WARNS.has(key) ? (
                <Chip tone="warn">{t('true')}</Chip>
              ) : (
                t(value)
              )
            ) : (
              value
            )}
          </Fact>
        ))}
        {facts.entries > 0 && <Fact name={t('entries')}>{formatExact(facts.entries)}</Fact>}
        {facts.dex_files > 0 && <Fact name={t('dexFiles')}>{formatExact(facts.dex_files)}</Fact>}
        {facts.abis.length > 0 && <Fact name={t('abis')}>{facts.abis.join(', ')}</Fact>}
        {facts.native_libraries.length > 0 && (
          <Fact name={t('libraries')}>
            <details>
              <summary className="cursor-pointer">{formatExact(facts.native_libraries.length)}</summary>
              <ul className="max-h-60 overflow-auto pt-1 text-12">
                {facts.native_libraries.map((name) => (
                  <li key={name}>
                    <code>{name}</code>
                  </li>
                ))}
              </ul>
            </details>
          </Fact>
        )}
        {facts.notes.length > 0 && (
          <Fact name={t('notes')}>
            <ul className="text-12 text-muted">
              {facts.notes.map(({ key, detail }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: notes may repeat and never move
                <li key={at}>
                  <code>{key}</code> {detail}
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
      {facts.cut.length > 0 && (
        <p className="px-5 pb-4 text-12 text-muted">{t('cut', { lists: facts.cut.join(', ') })}</p>
      )}
    </Section>
  )
}
