import { Upload } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { APPLICATION_TYPES, type ApplicationType, FILE_TYPES, type FileType } from '#contracts/detection/kinds.ts'
import { type AppFile, exportFiles, fileManage } from '#contracts/http/assets.ts'
import { PAGES } from '#contracts/pages.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { call } from '#src/shared/api/call.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes, formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { KEPT } from '#src/shared/query/kept.ts'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { ExportListMenu } from '#src/shared/table/export-menu.tsx'
import { PagedTable } from '#src/shared/table/paged-table.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { TableTools } from '#src/shared/table/table-tools.tsx'
import { spanOfFilter } from '#src/shared/table/time-filter.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { assetTexts, uploadTexts } from './asset-texts.ts'
import { EditFileDialog } from './edit-file-dialog.tsx'
import { type RowAction, useFileColumns } from './file-columns.tsx'
import { detectPath, filePath, reinforcePath } from './file-path.ts'
import { notifyUploads } from './notify-uploads.ts'
import { UploadDate } from './upload-date.tsx'
import { addFiles, UploadDialog } from './upload-dialog.tsx'
import { onUploadsEnded, setUploads } from './upload-queue.ts'
import { useFileActions } from './use-file-actions.ts'
import { useFileDrop } from './use-file-drop.ts'

notifyUploads()

const PAGE_SIZE = 20
const FIND_ID = 'asset-find'
const FILTERS = ['find', 'range', 'type', 'file', 'protection'] as const

/** /assets/apps: every uploaded package. Filters, sort and page stand in the address; files may be dropped anywhere on it. */
export default function AssetsPage() {
  return (
    <PermittedPage page="assets" permission="asset.read">
      <Assets />
    </PermittedPage>
  )
}

function Assets() {
  const t = useTexts(assetTexts)
  const u = useTexts(uploadTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const zone = usePlatform((state) => state.zone)
  const mayUpload = useMay('asset.upload')
  const { params, setParams } = useAddress()
  const actions = useFileActions()
  const [editing, setEditing] = useState<AppFile>()
  const onAction = (what: RowAction, file: AppFile) => {
    if (what === 'open') void navigate(filePath(file.id))
    else if (what === 'detect') void navigate(detectPath(file.id))
    else if (what === 'reinforce') void navigate(reinforcePath(file.id))
    else if (what === 'edit') setEditing(file)
    else if (what === 'push') void actions.push(file, !file.pushed)
    else void actions.remove(file)
  }
  const columns = useFileColumns(onAction)
  const [table, setTable] = useTableState(
    { params, setParams },
    { sorts: ['uploaded_at', 'size'], columns: columns.map((column) => column.id) },
  )
  const colon = language === 'zh' ? '：' : ':'
  const text = (name: (typeof FILTERS)[number]) => params.get(name) ?? ''
  const [type, fileType] = [text('type') as ApplicationType | '', text('file') as FileType | '']
  const range = params.get('range')
  const span = useMemo(() => spanOfFilter(range, Date.now(), zone), [range, zone])
  const protection = text('protection')
  const filters = {
    search: text('find'),
    ...span,
    type: type in APPLICATION_TYPES ? type : '',
    file_type: fileType in FILE_TYPES ? fileType : '',
    protection: protection === 'reinforced' || protection === 'unreinforced' ? protection : '',
    sort: table.sort as 'uploaded_at',
  } as const
  const answer = useEndpoint(
    fileManage,
    { query: { ...filters, page: table.page, page_size: PAGE_SIZE } },
    { placeholderData: (before) => before, refetchInterval: 30_000, meta: KEPT },
  )
  const filtered = FILTERS.some((name) => params.has(name))
  const clear = () => setParams({ ...Object.fromEntries(FILTERS.map((name) => [name, null])), page: null })
  const filter = (name: (typeof FILTERS)[number], value: string) => setParams({ [name]: value || null, page: null })
  const tooMany = (count: number) => u('tooMany', { count })
  const drop = useFileDrop(mayUpload, (files) => addFiles(files, tooMany))
  const open = () => setUploads({ isOpen: true })
  useActions([
    {
      id: 'assets.find',
      label: t('find'),
      group: PAGES.assets[language],
      keys: 'f',
      run: () => document.getElementById(FIND_ID)?.focus(),
    },
    ...(mayUpload
      ? [{ id: 'assets.upload', label: t('upload'), group: PAGES.assets[language], keys: 'n', icon: Upload, run: open }]
      : []),
  ])
  // A file that has come up belongs into the list at once.
  const { refresh } = actions
  useEffect(() => onUploadsEnded(() => void refresh()), [refresh])

  const data = answer.data
  const counts = data?.summary.by_file_type ?? {}
  const all = { id: '' as const, label: t('all') }
  return (
    <div className="relative flex min-h-full flex-col bg-surface" {...drop.handlers}>
      <PageTitle
        title={PAGES.assets[language]}
        actions={
          <>
            <SavedViews state={{ params, setParams }} page="assets" />
            <ExportListMenu
              named
              start={(file) => call(exportFiles, { body: { list: filters, ...file } }, { quiet: true })}
              mayExport
              title={PAGES.assets[language]}
              total={data?.total ?? 0}
            />
            <Button
              variant="primary"
              icon={Upload}
              isDisabled={!mayUpload}
              onPress={open}
              {...(!mayUpload && { title: t('uploadNeeds') })}
            >
              {t('upload')}
            </Button>
          </>
        }
      />
      <div className="flex flex-wrap items-center gap-2 border-b px-5 pb-2 max-lg:px-4">
        <SearchBox id={FIND_ID} value={text('find')} label={t('find')} onSearch={(words) => filter('find', words)} />
        <UploadDate range={range} onChange={(next) => filter('range', next ?? '')} />
        <Select
          size="small"
          prefix
          label={t('type') + colon}
          value={type}
          onChange={(id) => filter('type', id)}
          items={[
            all,
            ...(Object.keys(APPLICATION_TYPES) as ApplicationType[]).map((id) => ({
              id,
              label: APPLICATION_TYPES[id][language],
            })),
          ]}
          className="w-48"
        />
        <Select
          size="small"
          prefix
          label={t('fileType') + colon}
          value={fileType}
          onChange={(id) => filter('file', id)}
          items={[
            all,
            ...(Object.keys(FILE_TYPES) as FileType[]).map((id) => ({
              id,
              label: FILE_TYPES[id][language],
              note: formatExact(counts[id] ?? 0),
            })),
          ]}
          className="w-40"
        />
        <Select
          size="small"
          prefix
          label={t('protection') + colon}
          value={text('protection')}
          onChange={(id) => filter('protection', id)}
          items={[all, { id: 'reinforced', label: t('reinforced') }, { id: 'unreinforced', label: t('unreinforced') }]}
          className="w-44"
        />
        {filtered && (
          <Button size="small" variant="quiet" onPress={clear}>
            {t('clear')}
          </Button>
        )}
        <span className="ml-auto flex items-center gap-1">
          <TableTools columns={columns} state={table} onChange={setTable} />
        </span>
      </div>
      <PagedTable
        label={PAGES.assets[language]}
        answer={answer}
        columns={columns}
        rowKey={(file) => file.id}
        hidden={table.hidden}
        density={table.density}
        sort={table.sort}
        onSort={(sort) => setTable({ sort })}
        onOpen={(file) => void navigate(filePath(file.id))}
        openMark={false}
        page={table.page}
        pageSize={PAGE_SIZE}
        onPage={(page) => setTable({ page })}
        filtered={filtered && { title: t('filtered'), clear: t('clear'), onClear: clear }}
        none={
          <EmptyState
            kind="none"
            title={t('none')}
            hint={mayUpload && t('noneHint')}
            action={mayUpload && <Button onPress={open}>{t('upload')}</Button>}
          />
        }
        note={
          data &&
          t('note', {
            number: formatExact(data.total),
            size: formatBytes(data.summary.size),
            reinforced: formatExact(data.summary.reinforced),
            open: formatExact(data.total - data.summary.reinforced),
          })
        }
      />
      {drop.isOver && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-2 z-20 flex items-center justify-center rounded border-2 border-dashed border-brand bg-scrim text-16 font-semibold text-white"
        >
          {t('dropHere')}
        </div>
      )}
      <UploadDialog />
      {editing && <EditFileDialog file={editing} onClose={() => setEditing(undefined)} />}
    </div>
  )
}
