import {
  Download,
  Ellipsis,
  FileDown,
  FolderInput,
  Link,
  LoaderCircle,
  Pencil,
  Plus,
  ShieldCheck,
  Trash2,
  Upload,
} from 'lucide-react'
import { useMemo, useState } from 'react'
import {
  CHANNEL_SORTS,
  channelBases,
  deleteChannels,
  downloadChannel,
  downloadChannels,
  exportChannels,
  type ReinforceChannel,
  reinforceChannels,
} from '#contracts/http/reinforce-channels.ts'
import { PAGES } from '#contracts/pages.ts'
import { ChooseApplicationState } from '#src/shared/account/choose-application-state.tsx'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { SearchableListPage } from '#src/shared/table/searchable-list-page.tsx'
import { useListState } from '#src/shared/table/use-list-state.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { copyToClipboard } from '#src/shared/ui/copy-text.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { BaseNotice } from './base-notice.tsx'
import { channelColumns } from './channel-columns.tsx'
import { CreateDialog, MoveDialog, RenameDialog } from './channel-dialogs.tsx'
import { channelTexts, EXAMPLE } from './channel-texts.ts'
import { GroupChoice } from './group-choice.tsx'
import { ImportDrawer, NO_DRAFT } from './import-drawer.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useVerification } from './use-verification.ts'

/** /reinforce/channels: promotion channels of the current application and the packages for them. Filters, page and package are in the address. */
export default function ReinforceChannelsPage() {
  return (
    <PermittedPage page="reinforce_channels" permission="channel.manage">
      <OfApplication />
    </PermittedPage>
  )
}

function OfApplication() {
  const t = useTexts(channelTexts)
  const language = useLanguage()
  const application = useCurrentApplication()
  if (application) return <Channels key={application.id} appid={application.id} />
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.reinforce_channels[language]} />
      <ChooseApplicationState title={t('chooseApp')} hint={t('chooseAppHint')} label={t('app')} />
    </div>
  )
}

type Open =
  | { kind: 'create' }
  | { kind: 'rename'; channel: ReinforceChannel }
  | { kind: 'move'; channels: readonly ReinforceChannel[] }

function Channels({ appid }: { appid: string }) {
  const t = useTexts(channelTexts)
  const language = useLanguage()
  const mayRead = useMay('asset.read')
  const mayTakeReinforced = useMay('harden.download')
  const [selected, setSelected] = useState<ReadonlyMap<number, ReinforceChannel>>(new Map())
  const [isImporting, setImporting] = useState(false)
  const [draft, setDraft] = useState(NO_DRAFT)
  const [open, setOpen] = useState<Open>()
  const bases = useEndpoint(channelBases, { query: { appid } })
  const { mutateAsync: sendDeletion } = useAction(deleteChannels, { refreshes: [reinforceChannels] })

  // The columns need the package, the address of which the list state reads: their ids alone are the same for any.
  const ids = useMemo(() => {
    const nothing = { t, base: undefined, isSelected: () => false, onSelect: () => {}, menuOf: () => [] }
    return channelColumns(nothing)
  }, [t])
  const list = useListState({
    name: 'channels',
    filters: ['find', 'group'] as const,
    sorts: CHANNEL_SORTS,
    columns: ids,
    searchLabel: t('find'),
    actionGroup: t('group'),
  })
  const { params, setParams, filter, table, setTable } = list
  const packages = bases.data?.data ?? []
  const base =
    packages.find(({ id }) => id === params.get('file')) ?? packages.find(({ place }) => place !== null) ?? packages[0]
  const search = (params.get('find') ?? '').slice(0, 100)
  const group = (params.get('group') ?? '').slice(0, 64)
  const sort = CHANNEL_SORTS.find((one) => one === table.sort) ?? 'group'
  const answer = useEndpoint(
    reinforceChannels,
    {
      query: {
        ...{ appid, search, group, sort, ...list.paging },
        ...(base && { file: Number(base.id) }),
      },
    },
    { enabled: bases.data !== undefined || bases.error !== null, placeholderData: (before) => before },
  )
  const verification = useVerification(appid, base?.id)
  const groups = answer.data?.groups ?? []
  const groupNames = groups.map(({ name }) => name)
  const mayTake = base !== undefined && (mayRead || (base.protection === 'reinforced' && mayTakeReinforced))
  const isUsable = base !== undefined && base.place !== null && mayTake
  const whyNot = base?.place === null ? base.reason : !mayTake ? t(base ? 'mayNot' : 'noPackage') : undefined
  const chosen = [...selected.values()]
  const addressOf = ({ id }: ReinforceChannel) => downloadHref(downloadChannel, { id, file: Number(base?.id) })
  const openImport = (text?: string) => {
    if (text !== undefined && draft.text === '') setDraft({ ...NO_DRAFT, text })
    setImporting(true)
  }
  useActions([
    { id: 'channels.import', label: t('import'), group: t('group'), keys: 'n', icon: Upload, run: () => openImport() },
  ])

  function download(address: string): void {
    toast.info(t('started'))
    // By a link: a refusal then is a failed download and not a page of its own.
    const link = document.createElement('a')
    link.href = address
    link.download = ''
    link.click()
  }
  function downloadChosen(channels: readonly ReinforceChannel[]): void {
    const [one] = channels
    if (channels.length === 1 && one) download(addressOf(one))
    else download(downloadHref(downloadChannels, { appid, file: Number(base?.id), ids: idList(channels) }))
  }
  async function copyLinks(channels: readonly ReinforceChannel[]): Promise<void> {
    const links = channels.map((one) => new URL(addressOf(one), location.href).href)
    if (await copyToClipboard(links.join('\n'))) toast.success(t('copied', { count: links.length }))
  }
  async function remove(channels: readonly ReinforceChannel[]): Promise<void> {
    const question = {
      title: t('removeTitle', { count: channels.length }),
      text: t('removeText'),
      action: t('removeSubmit'),
    }
    if (!(await confirmDeletion(question))) return
    const gone = channels.map(({ id }) => id)
    await sendDeletion({ body: { appid, ids: gone } }).then(
      () => {
        deleted()
        setSelected((before) => new Map([...before].filter(([id]) => !gone.includes(id))))
      },
      () => undefined,
    )
  }
  const toggle = (channel: ReinforceChannel) =>
    setSelected((before) => {
      const next = new Map(before)
      if (!next.delete(channel.id)) next.set(channel.id, channel)
      return next
    })
  const columns = channelColumns({
    t,
    base,
    isSelected: (id) => selected.has(id),
    onSelect: toggle,
    menuOf: (channel) => [
      {
        id: 'download',
        label: t('download'),
        icon: Download,
        isDisabled: !isUsable,
        onAction: () => downloadChosen([channel]),
      },
      {
        id: 'link',
        label: t('copyLink'),
        icon: Link,
        isDisabled: !isUsable,
        onAction: () => void copyLinks([channel]),
      },
      { id: 'rename', label: t('rename'), icon: Pencil, onAction: () => setOpen({ kind: 'rename', channel }) },
      {
        id: 'move',
        label: t('move'),
        icon: FolderInput,
        onAction: () => setOpen({ kind: 'move', channels: [channel] }),
      },
      { id: 'delete', label: t('remove'), icon: Trash2, danger: true, onAction: () => void remove([channel]) },
    ],
  })
  const total = answer.data?.total ?? 0
  return (
    <SearchableListPage
      list={list}
      title={PAGES.reinforce_channels[language]}
      count={
        answer.data && {
          name: 'channels',
          total: answer.data.all,
          text: t('note', { count: answer.data.all, groups: groups.length }),
        }
      }
      actions={
        <>
          <MenuButton
            iconOnly
            icon={Ellipsis}
            label={t('more')}
            items={[
              { id: 'create', label: t('create'), icon: Plus, onAction: () => setOpen({ kind: 'create' }) },
              {
                id: 'export',
                label: t('export'),
                icon: FileDown,
                isDisabled: (answer.data?.all ?? 0) === 0,
                onAction: () => location.assign(downloadHref(exportChannels, { appid })),
              },
            ]}
          />
          {verification.isRunning ? (
            <Button icon={LoaderCircle} onPress={verification.stop} title={t('verifying')}>
              {t('stopVerifying')}
            </Button>
          ) : (
            <Button
              icon={ShieldCheck}
              isDisabled={!isUsable || (answer.data?.all ?? 0) === 0}
              {...(whyNot && { title: whyNot })}
              onPress={() => void verification.start()}
            >
              {t('verify')}
            </Button>
          )}
          <Button
            icon={Download}
            isDisabled={!isUsable || total === 0}
            {...(whyNot && { title: whyNot })}
            onPress={() => download(downloadHref(downloadChannels, { appid, file: Number(base?.id), search, group }))}
          >
            {isUsable && total > 0 ? t('zip', { size: formatBytes(base.size * total) }) : t('zipPlain')}
          </Button>
          <Button variant="primary" icon={Upload} onPress={() => openImport()}>
            {t('import')}
          </Button>
        </>
      }
      filters={
        <>
          <Select
            label={t('package')}
            hideLabel
            size="small"
            className="w-72 max-w-full"
            placeholder={t('noPackage')}
            isDisabled={packages.length === 0}
            value={base?.id ?? null}
            items={packages.map((one) => ({
              id: one.id,
              label: `${one.name} ${one.version} ${t(one.protection === 'reinforced' ? 'reinforced' : 'original')}`,
              note: one.place === null ? t('unusable') : formatBytes(one.size),
            }))}
            onChange={(file) => setParams({ file })}
          />
          <SearchBox
            id={list.searchId}
            label={t('find')}
            value={params.get('find') ?? ''}
            onSearch={(words) => filter('find', words || null)}
            className="w-44"
          />
          <GroupChoice
            value={group}
            groups={groups}
            all={answer.data?.all}
            onChange={(next) => filter('group', next || null)}
          />
        </>
      }
      texts={{ clear: t('clearFilters'), filtered: t('filtered') }}
      above={
        <>
          {bases.data && <BaseNotice base={base} result={verification.result} />}
          {chosen.length > 0 && (
            <SelectionBar
              channels={chosen}
              bytes={
                base?.place
                  ? chosen.reduce((sum, one) => sum + (sizeOf(one, answer.data?.data) ?? base.size), 0)
                  : undefined
              }
              whyNot={whyNot}
              onDownload={() => downloadChosen(chosen)}
              onCopy={() => void copyLinks(chosen)}
              onMove={() => setOpen({ kind: 'move', channels: chosen })}
              onRemove={() => void remove(chosen)}
              onSelectPage={() => setSelected((before) => new Map([...before, ...(answer.data?.data ?? []).map(byId)]))}
              onClear={() => setSelected(new Map())}
            />
          )}
        </>
      }
      label={t('list')}
      answer={answer}
      columns={columns}
      rowKey={({ id }) => String(id)}
      openMark={false}
      sort={table.sort}
      onSort={(key) => setTable({ sort: key })}
      note={t('reader')}
      none={
        <EmptyState
          kind="none"
          title={t('none')}
          hint={
            <>
              {t('noneHint')}
              <pre className="mx-auto mt-2 w-fit max-w-full overflow-x-auto rounded bg-code px-3 py-2 text-left font-mono text-12 text-text">
                {EXAMPLE[language].trim()}
              </pre>
            </>
          }
          action={
            <>
              <Button onPress={() => openImport()}>{t('import')}</Button>
              <Button variant="quiet" onPress={() => openImport(EXAMPLE[language])}>
                {t('useExample')}
              </Button>
            </>
          }
        />
      }
    >
      {isImporting && (
        <ImportDrawer appid={appid} draft={draft} onChange={setDraft} onClose={() => setImporting(false)} />
      )}
      {open?.kind === 'create' && <CreateDialog appid={appid} groups={groupNames} onClose={() => setOpen(undefined)} />}
      {open?.kind === 'rename' && <RenameDialog channel={open.channel} onClose={() => setOpen(undefined)} />}
      {open?.kind === 'move' && (
        <MoveDialog
          appid={appid}
          channels={open.channels}
          groups={groupNames}
          onClose={(isMoved) => {
            setOpen(undefined)
            if (isMoved) setSelected(new Map())
          }}
        />
      )}
    </SearchableListPage>
  )
}

const idList = (channels: readonly ReinforceChannel[]) => channels.map(({ id }) => id).join(',')
const byId = (channel: ReinforceChannel): [number, ReinforceChannel] => [channel.id, channel]

/** Of the package of a channel, as the newest answer says; undefined where it was not made. */
function sizeOf(channel: ReinforceChannel, rows: readonly ReinforceChannel[] | undefined): number | undefined {
  return (rows?.find(({ id }) => id === channel.id) ?? channel).package?.size
}
