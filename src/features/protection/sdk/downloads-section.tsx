import { Download } from 'lucide-react'
import { downloadSdk, EVENT_FILE_IDS, type SdkFile, type SdkManifest } from '#contracts/http/sdk.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { PlainTable } from '../parts/plain-table.tsx'
import { sdkTexts } from './sdk-texts.ts'

type Id = (typeof EVENT_FILE_IDS)[number]
type Row = { id: Id; file?: SdkFile; reason?: 'javac' | 'compile' }

/** The page of the security component offers the others. */
function isOfEvents<One extends { id: SdkFile['id'] }>(one: One): one is One & { id: Id } {
  return (EVENT_FILE_IDS as readonly string[]).includes(one.id)
}

/** What was built, with size and hash; what was not says why. */
export function DownloadsSection({ manifest }: { manifest: SdkManifest | null }) {
  const t = useTexts(sdkTexts)
  const rows: Row[] = [
    ...(manifest?.files ?? []).filter(isOfEvents).map((file) => ({ id: file.id, file })),
    ...(manifest?.missing ?? []).filter(isOfEvents).map(({ id, reason }) => ({ id, reason })),
  ]
  return (
    <Section title={t('downloads')} note={t('downloadsNote')}>
      {rows.length === 0 ? (
        <EmptyState kind="missing" title={t('noFiles')} hint={t('noFilesHint')} />
      ) : (
        <PlainTable
          label={t('downloads')}
          rows={rows}
          rowKey={(row) => row.id}
          columns={[
            {
              id: 'file',
              title: t('file'),
              className: 'min-w-48',
              cell: ({ id, file }) => (
                <>
                  <div>{t(id)}</div>
                  {file && <code className="text-12 text-muted">{file.name}</code>}
                </>
              ),
            },
            {
              id: 'get',
              title: '',
              cell: ({ id, file }) =>
                file && (
                  <a
                    className={buttonClass('plain', 'small')}
                    href={downloadHref(downloadSdk, { id })}
                    aria-label={t('downloadFile', { name: file.name })}
                    download
                  >
                    <Icon of={Download} size={14} />
                    {t('download')}
                  </a>
                ),
            },
            {
              id: 'size',
              title: t('size'),
              className: 'whitespace-nowrap',
              cell: ({ file }) =>
                file ? (
                  t('sizeGzip', { size: formatBytes(file.size), gzip: formatBytes(file.gzip) })
                ) : (
                  <Chip tone="warn">{t('missing')}</Chip>
                ),
            },
            {
              id: 'hash',
              title: 'SHA-256',
              cell: ({ file, reason }) =>
                file ? (
                  <CopyText value={file.sha256} short />
                ) : (
                  <span className="text-muted">{reason && t(reason)}</span>
                ),
            },
          ]}
        />
      )}
      <p className="px-5 py-3 text-12 text-muted">{t('ios')}</p>
    </Section>
  )
}
