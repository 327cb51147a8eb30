import { Download } from 'lucide-react'
import { downloadSdk, type SdkManifest, SESSION_FILE_IDS, sdkFiles } from '#contracts/http/sdk.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { componentTexts } from './component-texts.ts'

/** The SDKs of the sessions with size and hash, as they were built with this server. */
export function ComponentDownloads() {
  const t = useTexts(componentTexts)
  const answer = useEndpoint(sdkFiles)
  const manifest = answer.data?.data
  return (
    <Section
      plain
      className="border-t"
      title={t('downloads')}
      note={manifest ? t('version', { version: manifest.version }) : t('downloadsNote')}
      state={answer.isPending ? 'loading' : 'ready'}
    >
      {answer.error ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Files manifest={manifest ?? null} />
      )}
    </Section>
  )
}

function Files({ manifest }: { manifest: SdkManifest | null }) {
  const t = useTexts(componentTexts)
  const files = SESSION_FILE_IDS.flatMap((id) => manifest?.files.find((file) => file.id === id) ?? [])
  if (files.length === 0) return <EmptyState kind="missing" title={t('noFiles')} hint={t('noFilesHint')} />
  return (
    <ul className="divide-y border-t">
      {files.map((file) => (
        <li key={file.id} className="flex items-center gap-3 px-5 py-2">
          <div className="min-w-0 flex-1">
            <div>
              {t(file.id as (typeof SESSION_FILE_IDS)[number])}
              {file.id === 'session-swift' && <span className="pl-2 text-12 text-warn-text">{t('notCompiled')}</span>}
            </div>
            <div className="flex flex-wrap items-center gap-x-3 text-12 text-muted">
              <code>{file.name}</code>
              <span>{t('sizeGzip', { size: formatBytes(file.size), gzip: formatBytes(file.gzip) })}</span>
              <span className="inline-flex items-center gap-1">
                SHA-256 <CopyText value={file.sha256} short />
              </span>
            </div>
          </div>
          <a
            className={buttonClass('plain', 'small')}
            href={downloadHref(downloadSdk, { id: file.id })}
            aria-label={t('downloadFile', { name: file.name })}
            download
          >
            <Icon of={Download} size={14} />
            {t('download')}
          </a>
        </li>
      ))}
    </ul>
  )
}
