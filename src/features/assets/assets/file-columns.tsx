import { Check, Download, Ellipsis, ScanSearch, Shield, ShieldCheck } from 'lucide-react'
import { Link } from 'react-router-dom'
import { APPLICATION_TYPES, FILE_TYPES } from '#contracts/detection/kinds.ts'
import { type AppFile, downFile } from '#contracts/http/assets.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { shortAccount } from '#src/shared/format/text.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { AppIcon } from '#src/shared/ui/app-icon.tsx'
import { DownloadLink } from '#src/shared/ui/download-link.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { assetTexts } from './asset-texts.ts'
import { detectPath, mayBeReinforced } from './file-path.ts'

export type RowAction = 'open' | 'detect' | 'reinforce' | 'edit' | 'push' | 'remove'

/** The columns of the asset list; `onAction` receives the action that was chosen for a row. */
export function useFileColumns(onAction: (what: RowAction, file: AppFile) => void): Column<AppFile>[] {
  const t = useTexts(assetTexts)
  const language = useLanguage()
  return [
    {
      id: 'name',
      header: t('name'),
      fixed: true,
      cell: (file) => (
        <span className="flex items-center gap-2.5">
          <AppIcon name={file.name} icon={file.icon} size={20} />
          <span className="text-clip-line max-w-32 2xl:max-w-80" title={`${file.name}\n${file.file_name}`}>
            {file.name}
          </span>
        </span>
      ),
    },
    {
      id: 'package',
      header: t('package'),
      wide: true,
      cell: (file) => (
        <code
          className="text-clip-line block max-w-32 2xl:max-w-96 text-12"
          title={file.package_name || file.file_name}
        >
          {file.package_name || file.file_name}
        </code>
      ),
    },
    {
      id: 'version',
      header: t('version'),
      cell: (file) => (
        <span className="text-clip-line block max-w-20 2xl:max-w-40" title={file.version}>
          {file.version || '–'}
        </span>
      ),
    },
    {
      id: 'file',
      header: t('file'),
      wide: true,
      cell: (file) =>
        (FILE_TYPES[file.file_type].kind === 'apk' ? file.kind : FILE_TYPES[file.file_type].kind).toUpperCase(),
    },
    {
      id: 'type',
      header: t('typeHead'),
      wide: true,
      cell: (file) => (file.type === '' ? '–' : APPLICATION_TYPES[file.type][language]),
    },
    { id: 'protection', header: t('protection'), wide: true, cell: (file) => <Protection file={file} /> },
    {
      id: 'pushed',
      header: t('pushed'),
      wide: true,
      cell: (file) =>
        file.pushed ? (
          <span className="inline-flex items-center gap-1">
            <Icon of={Check} size={14} className="text-good-text" />
            {t('yes')}
          </span>
        ) : (
          <span className="text-muted">{t('no')}</span>
        ),
    },
    { id: 'size', header: t('size'), sort: 'size', numeric: true, wide: true, cell: (file) => formatBytes(file.size) },
    {
      id: 'uploaded',
      header: t('uploadedAt'),
      sort: 'uploaded_at',
      wide: true,
      cell: (file) => <RelativeTime at={file.uploaded_at} />,
    },
    {
      id: 'operator',
      header: t('operator'),
      wide: true,
      cell: (file) => (
        <span className="text-clip-line block max-w-20 2xl:max-w-64 text-muted" title={file.operator}>
          {shortAccount(file.operator)}
        </span>
      ),
    },
    {
      id: 'actions',
      header: t('actions'),
      numeric: true,
      fixed: true,
      cell: (file) => <Actions file={file} onAction={onAction} />,
    },
  ]
}

/** Whether the package is reinforced, and by whom as far as that is known. */
export function Protection({ file }: { file: AppFile }) {
  const t = useTexts(assetTexts)
  const on = file.protection === 'reinforced'
  return (
    <span className="inline-flex items-center gap-1.5" {...(file.packer && { title: file.packer })}>
      <Icon of={on ? ShieldCheck : Shield} size={14} className={on ? 'text-good-text' : 'text-muted'} />
      <span className={on ? '' : 'text-muted'}>{t(file.protection)}</span>
    </span>
  )
}

const CELL_BUTTON =
  'inline-flex size-6 items-center justify-center rounded-small text-muted hover:bg-hover hover:text-text'

function Actions({ file, onAction }: { file: AppFile; onAction: (what: RowAction, file: AppFile) => void }) {
  const t = useTexts(assetTexts)
  const [mayDetect, mayUpload, mayDelete] = [useMay('asset.detect'), useMay('asset.upload'), useMay('asset.delete')]
  const mayReinforce = useMay('asset.harden') && mayBeReinforced(file)
  return (
    <span className="inline-flex items-center gap-1">
      {mayDetect && (
        <Link
          to={detectPath(file.id)}
          aria-label={`${t('detect')} ${file.name}`}
          title={t('detect')}
          className={`${CELL_BUTTON} max-sm:hidden`}
        >
          <Icon of={ScanSearch} size={14} />
        </Link>
      )}
      <DownloadLink
        icon={Download}
        href={file.has_file ? downloadHref(downFile, { file: file.id }) : null}
        label={`${t('download')} ${file.name}`}
      />
      <MenuButton
        label={`${t('more')} ${file.name}`}
        trigger={<IconButton label={`${t('more')} ${file.name}`} icon={Ellipsis} size="small" />}
        items={[
          { id: 'open', label: t('open'), onAction: () => onAction('open', file) },
          ...(mayDetect ? [{ id: 'detect', label: t('detect'), onAction: () => onAction('detect', file) }] : []),
          ...(mayReinforce
            ? [{ id: 'reinforce', label: t('reinforce'), onAction: () => onAction('reinforce', file) }]
            : []),
          ...(mayUpload
            ? [
                { id: 'edit', label: t('edit'), onAction: () => onAction('edit', file) },
                { id: 'push', label: t(file.pushed ? 'unpush' : 'push'), onAction: () => onAction('push', file) },
              ]
            : []),
          ...(mayDelete
            ? [{ id: 'remove', label: t('remove'), danger: true, onAction: () => onAction('remove', file) }]
            : []),
        ]}
      />
    </span>
  )
}
