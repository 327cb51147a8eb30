import { ArrowLeft, Download, Ellipsis, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import {
  deleteServiceRequest,
  exportServiceRequest,
  serviceContact,
  serviceRequest,
  serviceRequests,
} from '#contracts/http/service.ts'
import { PAGES } from '#contracts/pages.ts'
import {
  SERVICE_STATE_NAMES,
  SERVICE_STATES,
  SERVICE_URGENCIES,
  SERVICE_URGENCY_NAMES,
} from '#domain/service-requests.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { TableFoot } from '#src/shared/table/table-tools.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { type Action, useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Composer } from './composer.tsx'
import { Conversation, Steps } from './conversation.tsx'
import { NewRequestDialog } from './new-request-dialog.tsx'
import { ContactFacts, RequestFacts } from './request-facts.tsx'
import { RequestList } from './request-list.tsx'
import { requestName } from './request-words.ts'
import { serviceTexts } from './service-texts.ts'
import { StateMark } from './state-mark.tsx'

const PAGE_SIZE = 20
/** The other side may write at any time. */
const REFRESH_MS = 20_000
const VIEWS = ['open', 'all', 'own'] as const
const ANY = 'any'

/** /service: requests, the conversation of the open one, and its facts. View, filters and open request are in the address. */
export default function ServicePage() {
  const t = useTexts(serviceTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const now = useMinute()
  const open = /^[1-9]\d{0,8}$/.test(params.get('id') ?? '') ? (params.get('id') as string) : null
  const isCreating = params.get('new') === '1'
  const view = VIEWS.find((one) => one === params.get('view')) ?? 'open'
  const text = (params.get('find') ?? '').slice(0, 100)
  const state = SERVICE_STATE_NAMES.find((one) => one === params.get('state')) ?? ''
  const urgency = SERVICE_URGENCY_NAMES.find((one) => one === params.get('urgency')) ?? ''
  const page = Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1)
  const list = useEndpoint(
    serviceRequests,
    { query: { view, text, state, urgency, offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE } },
    { placeholderData: (before) => before, refetchInterval: REFRESH_MS },
  )
  const shown = useEndpoint(
    serviceRequest,
    { query: { id: open ?? '1' } },
    { enabled: open !== null, refetchInterval: REFRESH_MS },
  )
  const contact = useEndpoint(serviceContact)
  const remove = useAction(deleteServiceRequest, {
    refreshes: [serviceRequests],
    onSuccess: () => {
      setParams({ id: null })
      deleted()
    },
  })
  const rows = list.data?.data ?? []
  const data = open === null ? undefined : shown.data?.data
  usePageSubject(data ? requestName(data.id) : undefined)
  const isFiltered = text !== '' || state !== '' || urgency !== ''
  const filter = (values: Readonly<Record<string, string | null>>, replace = false) =>
    setParams({ ...values, page: null }, replace)

  const keys = useMemo<readonly Action[]>(() => {
    const at = rows.findIndex(({ id }) => id === open)
    const group = t('group')
    const go = (index: number) => {
      const next = rows[Math.max(0, Math.min(rows.length - 1, index))]
      if (next) setParams({ id: next.id }, true)
    }
    return [
      { id: 'service.next', label: t('next'), group, keys: 'j', run: () => go(at + 1) },
      { id: 'service.before', label: t('before'), group, keys: 'k', run: () => go(at - 1) },
      { id: 'service.new', label: t('fresh'), group, keys: 'n', run: () => setParams({ new: '1' }) },
      {
        id: 'service.find',
        label: t('find'),
        group,
        keys: '/',
        run: () => document.getElementById('service-find')?.focus(),
      },
    ]
  }, [rows, open, setParams, t])
  useActions(keys)

  const askRemoval = async () => {
    if (!data) return
    const name = requestName(data.id)
    const question = { title: t('remove'), text: t('removeText', { name }), action: t('remove'), typed: name }
    if (await confirmDeletion(question)) remove.mutate({ body: { id: data.id, confirm: name } })
  }

  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageTitle
        title={data ? requestName(data.id) : PAGES.service[language]}
        note={data && <span className="[overflow-wrap:anywhere]">{data.subject}</span>}
        actions={
          <>
            {data && (
              <a
                href={downloadHref(exportServiceRequest, { id: data.id })}
                download
                title={t('exportNote')}
                className={buttonClass('quiet')}
              >
                <Icon of={Download} />
                {t('export')}
              </a>
            )}
            {data && shown.data?.deletes && (
              <MenuButton
                label={t('menu')}
                icon={Ellipsis}
                iconOnly
                items={[
                  { id: 'remove', label: t('remove'), icon: Trash2, danger: true, onAction: () => void askRemoval() },
                ]}
              />
            )}
            <Button variant="primary" icon={Plus} onPress={() => setParams({ new: '1' })}>
              {t('fresh')}
            </Button>
          </>
        }
      />
      <div className="grid min-h-0 flex-1 grid-cols-[336px_minmax(0,1fr)_300px] border-t max-2xl:grid-cols-[300px_minmax(0,1fr)_272px] max-lg:flex max-lg:flex-col max-lg:overflow-auto">
        <div
          className={`flex min-h-0 flex-col border-r max-lg:flex-none max-lg:border-r-0 ${open ? 'max-lg:hidden' : ''}`}
        >
          <div className="flex-none space-y-2 border-b px-4 py-3">
            <SegmentedControl
              label={t('views')}
              size="small"
              value={view}
              onChange={(one) => filter({ view: one === 'open' ? null : one })}
              items={VIEWS.map((id) => ({ id, label: t(id), note: list.data?.views[id] }))}
            />
            <SearchBox
              id="service-find"
              label={t('find')}
              value={text}
              onSearch={(words) => filter({ find: words || null }, true)}
              className="w-full"
            />
            <div className="grid grid-cols-[minmax(0,4fr)_minmax(0,5fr)] gap-2">
              <Select
                label={t('state')}
                hideLabel
                size="small"
                value={state === '' ? ANY : state}
                onChange={(one) => filter({ state: one === ANY ? null : one })}
                items={[
                  { id: ANY, label: t('anyState') },
                  ...SERVICE_STATE_NAMES.map((id) => ({ id, label: SERVICE_STATES[id][language] })),
                ]}
              />
              <Select
                label={t('urgency')}
                hideLabel
                size="small"
                value={urgency === '' ? ANY : urgency}
                onChange={(one) => filter({ urgency: one === ANY ? null : one })}
                items={[
                  { id: ANY, label: t('anyUrgency') },
                  ...SERVICE_URGENCY_NAMES.map((id) => ({ id, label: SERVICE_URGENCIES[id][language] })),
                ]}
              />
            </div>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard */}
          <div className="flex min-h-0 flex-1 flex-col overflow-auto" tabIndex={0}>
            {list.error && !list.data ? (
              <ErrorState error={list.error} onRetry={() => void list.refetch()} />
            ) : !list.data ? (
              <Skeleton lines={7} height="44px" className="px-4 py-3" />
            ) : rows.length > 0 ? (
              <RequestList rows={rows} open={open} now={now} onOpen={(id) => setParams({ id })} />
            ) : isFiltered || page > 1 ? (
              <EmptyState
                kind="filtered"
                title={t('noMatch')}
                action={
                  <Button onPress={() => filter({ find: null, state: null, urgency: null })}>{t('clear')}</Button>
                }
              />
            ) : (
              <EmptyState kind="none" title={t('none')} hint={t('noneHint')} />
            )}
          </div>
          {list.data && list.data.total > PAGE_SIZE && (
            <div className="border-t">
              <TableFoot
                page={page}
                pageSize={PAGE_SIZE}
                total={list.data.total}
                onPage={(next) => setParams({ page: next === 1 ? null : String(next) })}
                note=" "
              />
            </div>
          )}
        </div>
        <section
          aria-label={t('conversation')}
          className={`flex min-h-0 min-w-0 flex-col max-lg:flex-none ${open ? '' : 'max-lg:hidden'}`}
        >
          {open === null ? (
            <EmptyState kind="none" title={t('choose')} hint={t('chooseHint')} />
          ) : shown.error && !shown.data ? (
            shown.error.key === 'data.missing' ? (
              <EmptyState
                kind="missing"
                title={t('missing')}
                code={requestName(open)}
                action={<Button onPress={() => setParams({ id: null })}>{t('back')}</Button>}
              />
            ) : (
              <ErrorState error={shown.error} onRetry={() => void shown.refetch()} />
            )
          ) : !shown.data ? (
            <Skeleton lines={8} height="24px" className="p-5" />
          ) : (
            <>
              <div className="flex flex-none flex-wrap items-center gap-x-4 gap-y-1 border-b px-5 py-2.5 max-lg:px-4">
                <span className="lg:hidden">
                  <IconButton label={t('back')} icon={ArrowLeft} size="small" onPress={() => setParams({ id: null })} />
                </span>
                <Steps entries={shown.data.entries} state={shown.data.data.state} />
                {(shown.data.data.state === 'waiting' || shown.data.data.state === 'solved') && (
                  <span className="ml-auto text-12">
                    <StateMark one={shown.data.data} />
                  </span>
                )}
              </div>
              <Scrolled key={shown.data.data.id} last={shown.data.entries.length}>
                <Conversation entries={shown.data.entries} />
              </Scrolled>
              <Composer key={`compose-${shown.data.data.id}`} shown={shown.data} contact={contact.data} />
            </>
          )}
        </section>
        <aside
          aria-label={t('facts')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard
          tabIndex={0}
          className="min-h-0 overflow-auto border-l text-13 max-lg:flex-none max-lg:overflow-visible max-lg:border-t max-lg:border-l-0"
        >
          {open !== null && shown.data && <RequestFacts shown={shown.data} now={now} />}
          {contact.error && !contact.data ? (
            <ErrorState error={contact.error} onRetry={() => void contact.refetch()} />
          ) : contact.data ? (
            <ContactFacts contact={contact.data} />
          ) : (
            <Skeleton lines={4} className="p-5" />
          )}
        </aside>
      </div>
      {isCreating && contact.data && (
        <NewRequestDialog
          attachmentDays={contact.data.attachment_days}
          onClose={() => setParams({ new: null }, true)}
          onDone={(id) => setParams({ new: null, id, view: null, find: null, state: null, urgency: null, page: null })}
        />
      )}
    </div>
  )
}

/** The conversation with its own scroll: at the newest entry when it opens and when one is added. */
function Scrolled({ last, children }: { last: number; children: ReactNode }) {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new entry scrolls too
  useEffect(() => {
    box?.scrollTo({ top: box.scrollHeight })
  }, [box, last])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard
    <div ref={setBox} className="min-h-0 flex-1 overflow-auto max-lg:overflow-visible" tabIndex={0}>
      {children}
    </div>
  )
}

/** The time, renewed twice a minute: limits run on while the page is open. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
