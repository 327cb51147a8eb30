import { Download } from 'lucide-react'
import type { Application } from '#contracts/http/applications.ts'
import { downFile } from '#contracts/http/assets.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { defineTexts, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { DownloadLink } from '#src/shared/ui/download-link.tsx'

const texts = defineTexts('applications-download', {
  download: { zh: '下载安装包 {{name}}', en: 'Download the package of {{name}}' },
})

/** The newest installation package of an application; where none exists any more it says so. */
export default function AppDownload({ application }: { application: Application }) {
  const t = useTexts(texts)
  if (!useMay('asset.read')) return null
  const href = application.has_file ? downloadHref(downFile, { appid: application.id }) : null
  return <DownloadLink icon={Download} href={href} label={t('download', { name: application.name })} />
}
