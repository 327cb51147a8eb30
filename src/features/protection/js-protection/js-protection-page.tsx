import { SquareTerminal, Upload } from 'lucide-react'
import { type DragEvent, useId, useMemo, useRef, useState } from 'react'
import { SCRIPT_STATES, type ScriptState, scripts } from '#contracts/http/js-protection.ts'
import { PAGES } from '#contracts/pages.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { PagedTable } from '#src/shared/table/paged-table.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { PAGE_SIZE, useListState } from '#src/shared/table/use-list-state.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { BuildToolsDialog } from './build-tools-dialog.tsx'
import { jsTexts } from './js-texts.ts'
import { scriptColumns } from './script-columns.tsx'
import { ScriptDetail } from './script-detail.tsx'
import { isWorking } from './script-state.tsx'
import { useScriptUpload } from './use-script-upload.ts'

const STATES = Object.keys(SCRIPT_STATES) as ScriptState[]
const ALL = 'all'
const [ACTIVE_MS, IDLE_MS] = [1500, 20_000]

/** /protect/js: scripts are uploaded, measured, protected and downloaded. List and open script stand in the address. */
export default function JsProtectionPage() {
  return (
    <PermittedPage page="js_protection" permission="script.protect">
      <JsProtection />
    </PermittedPage>
  )
}

function JsProtection() {
  const t = useTexts(jsTexts)
  const language = useLanguage()
  const current = useApplications((state) => state.current)
  const [isToolsOpen, setToolsOpen] = useState(false)
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const inputId = useId()
  const columnsOfList = useMemo(() => scriptColumns(t, language, false), [t, language])
  const list = useListState({
    name: 'script',
    filters: ['find', 'state'] as const,
    sorts: [],
    columns: columnsOfList,
    searchLabel: t('find'),
    actionGroup: t('group'),
  })
  const { params, setParams, filter, table, setTable, isFiltered, clear } = list
  const open = params.get('id')
  const columns = useMemo(() => scriptColumns(t, language, open !== null), [t, language, open])
  const state = STATES.find((one) => one === params.get('state')) ?? ''
  const appid = current === 'all' ? '' : current
  const answer = useEndpoint(
    scripts,
    { query: { search: (params.get('find') ?? '').slice(0, 100), state, appid, ...list.paging } },
    {
      placeholderData: (before) => before,
      refetchInterval: ({ state: { data } }) => (data?.data.some(isWorking) ? ACTIVE_MS : IDLE_MS),
    },
  )
  const { data } = answer
  const total = data && Object.values(data.states).reduce((sum, one) => sum + one, 0)
  const show = (id: string | null) => setParams({ id }, true)
  const upload = useScriptUpload(({ id }) => setParams({ id, find: null, state: null, page: null }, true))
  const drop = {
    onDragOver(event: DragEvent) {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault()
      setOver(false)
      upload.upload(event.dataTransfer.files[0])
    },
  }

  return (
    <div className={`flex min-h-full flex-col ${isOver ? 'bg-selected' : 'bg-surface'}`} {...drop}>
      <PageTitle
        title={PAGES.js_protection[language]}
        note={
          total !== undefined && (
            <span data-testid="script-total" data-value={total}>
              {t('files', { count: total })}
            </span>
          )
        }
        actions={
          <>
            <Button variant="quiet" icon={SquareTerminal} onPress={() => setToolsOpen(true)}>
              {t('tools')}
            </Button>
            <Button
              variant="primary"
              icon={Upload}
              isDisabled={upload.state !== null}
              onPress={() => input.current?.click()}
            >
              {t('upload')}
            </Button>
            <input
              ref={input}
              id={inputId}
              type="file"
              aria-label={t('upload')}
              accept=".js,.mjs,.cjs,.zip"
              tabIndex={-1}
              className="sr-only"
              onChange={({ target }) => {
                upload.upload(target.files?.[0])
                target.value = '' // the same file may be chosen again
              }}
            />
          </>
        }
      />
      {upload.state && (
        <div aria-live="polite" className="flex items-center gap-3 border-y bg-canvas px-5 py-2">
          <span className="font-semibold">{t(upload.state.sent < upload.state.size ? 'uploading' : 'checking')}</span>
          <span className="text-clip-line min-w-0">{upload.state.name}</span>
          <span className="w-48 max-w-full">
            <ProgressBar value={upload.state.sent / Math.max(1, upload.state.size)} label={upload.state.name} />
          </span>
          <span className="text-12 text-muted">
            {formatBytes(upload.state.sent)} / {formatBytes(upload.state.size)}
          </span>
          <Button size="small" variant="quiet" onPress={upload.cancel}>
            {t('cancelUpload')}
          </Button>
        </div>
      )}
      <div className="flex min-h-0 flex-1 border-t">
        <div className={`flex min-w-0 flex-1 flex-col ${open ? 'max-lg:hidden' : ''}`}>
          <div className="flex flex-wrap items-center gap-2 px-5 py-2 max-lg:px-4">
            <SearchBox
              id={list.searchId}
              label={t('find')}
              value={params.get('find') ?? ''}
              onSearch={(words) => filter('find', words || null)}
              className="w-44"
            />
            <Select
              prefix
              size="small"
              label={t('state')}
              value={state || ALL}
              onChange={(id) => filter('state', id === ALL ? null : id)}
              items={[
                { id: ALL, label: t('all') },
                ...STATES.map((id) => ({
                  id,
                  label: SCRIPT_STATES[id][language],
                  note: data ? String(data.states[id] ?? 0) : '',
                })),
              ]}
              className="w-40"
            />
            {isFiltered && (
              <Button size="small" variant="quiet" onPress={clear}>
                {t('clear')}
              </Button>
            )}
          </div>
          <PagedTable
            label={PAGES.js_protection[language]}
            answer={answer}
            columns={columns}
            rowKey={({ id }) => id}
            current={open}
            onOpen={({ id }) => show(id)}
            page={table.page}
            pageSize={PAGE_SIZE}
            onPage={(page) => setTable({ page })}
            filtered={isFiltered && { title: t('noMatch'), clear: t('clear'), onClear: clear }}
            none={
              <EmptyState
                kind="none"
                title={t('none')}
                hint={t('noneHint')}
                action={<Button onPress={() => input.current?.click()}>{t('upload')}</Button>}
              />
            }
          />
        </div>
        {open && (
          <div className="w-[54%] min-w-0 flex-none border-l max-lg:w-full max-lg:border-l-0">
            <ScriptDetail key={open} id={open} onClose={() => show(null)} />
          </div>
        )}
      </div>
      {isToolsOpen && <BuildToolsDialog onClose={() => setToolsOpen(false)} />}
    </div>
  )
}
