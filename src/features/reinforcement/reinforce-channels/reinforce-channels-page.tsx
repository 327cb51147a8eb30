import {
  Download,
  Ellipsis,
  FileDown,
  FolderInput,
  Info,
  Link,
  LoaderCircle,
  Pencil,
  Plus,
  ShieldCheck,
  Trash2,
  TriangleAlert,
  Upload,
} from 'lucide-react'
import { useMemo, useState } from 'react'
import {
  CHANNEL_SORTS,
  type ChannelBase,
  channelBases,
  deleteChannels,
  downloadChannel,
  downloadChannels,
  exportChannels,
  MOST_CHOSEN,
  type ReinforceChannel,
  reinforceChannels,
} from '#contracts/http/reinforce-channels.ts'
import { PAGES } from '#contracts/pages.ts'
import { ChooseApplicationState } from '#src/shared/account/choose-application-state.tsx'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes, formatExact } from '#src/shared/format/number.ts'
import { formatDuration } from '#src/shared/format/time.ts'
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
import { Icon } from '#src/shared/ui/icon.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { channelColumns } from './channel-columns.tsx'
import { CreateDialog, MoveDialog, RenameDialog } from './channel-dialogs.tsx'
import { channelTexts, EXAMPLE } from './channel-texts.ts'
import { ImportDrawer, NO_DRAFT } from './import-drawer.tsx'
import { useVerification } from './use-verification.ts'

/** Groups that stand side by side; more become a list. */
const MOST_SEGMENTS = 4

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
            className="w-60 max-w-full"
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
            <div className="flex flex-wrap items-center gap-2 border-t bg-selected px-5 py-1.5 max-lg:px-4">
              <span className="font-semibold">{t('selected', { count: chosen.length })}</span>
              {base?.place && (
                <span className="text-12 text-muted tabular-nums">
                  {formatBytes(chosen.reduce((sum, one) => sum + (sizeOf(one, answer.data?.data) ?? base.size), 0))}
                </span>
              )}
              <span className="ml-auto" />
              <Button
                size="small"
                icon={Download}
                isDisabled={!isUsable || chosen.length > MOST_CHOSEN}
                {...((whyNot ?? (chosen.length > MOST_CHOSEN && t('tooMany', { count: MOST_CHOSEN }))) && {
                  title: whyNot ?? t('tooMany', { count: MOST_CHOSEN }),
                })}
                onPress={() => downloadChosen(chosen)}
              >
                {t('download')}
              </Button>
              <Button
                size="small"
                icon={Link}
                isDisabled={!isUsable}
                {...(whyNot && { title: whyNot })}
                onPress={() => void copyLinks(chosen)}
              >
                {t('copyLink')}
              </Button>
              <Button size="small" icon={FolderInput} onPress={() => setOpen({ kind: 'move', channels: chosen })}>
                {t('move')}
              </Button>
              <Button size="small" variant="danger" icon={Trash2} onPress={() => void remove(chosen)}>
                {t('remove')}
              </Button>
              <Button
                size="small"
                variant="quiet"
                onPress={() => setSelected((before) => new Map([...before, ...(answer.data?.data ?? []).map(byId)]))}
              >
                {t('selectPage')}
              </Button>
              <Button size="small" variant="quiet" onPress={() => setSelected(new Map())}>
                {t('clear')}
              </Button>
            </div>
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

/** All, or one group; a few stand side by side. */
function GroupChoice({
  value,
  groups,
  all,
  onChange,
}: {
  value: string
  groups: readonly { name: string; count: number }[]
  /** Undefined before the first answer. */
  all: number | undefined
  onChange: (value: string) => void
}) {
  const t = useTexts(channelTexts)
  if (all === undefined || groups.length === 0) return null
  if (groups.length <= MOST_SEGMENTS)
    return (
      <span className="max-w-full overflow-x-auto">
        <SegmentedControl
          size="small"
          label={t('groups')}
          value={value}
          onChange={onChange}
          items={[
            { id: '', label: t('all'), note: formatExact(all) },
            ...groups.map(({ name, count }) => ({ id: name, label: name, note: formatExact(count) })),
          ]}
        />
      </span>
    )
  // A list has no row with an empty key.
  return (
    <Select
      label={t('groups')}
      hideLabel
      size="small"
      className="w-44"
      value={value || ALL_GROUPS}
      items={[
        { id: ALL_GROUPS, label: t('allOf', { count: all }) },
        ...groups.map(({ name, count }) => ({ id: name, label: name, note: formatExact(count) })),
      ]}
      onChange={(next) => onChange(next === ALL_GROUPS ? '' : next)}
    />
  )
}
/** No group is called this: names are trimmed. */
const ALL_GROUPS = ' '

/** What the chosen package means for the channels, and what the last verification found. */
function BaseNotice({
  base,
  result,
}: {
  base: ChannelBase | undefined
  result: ReturnType<typeof useVerification>['result']
}) {
  const t = useTexts(channelTexts)
  const language = useLanguage()
  const isWarning = base?.place !== 'block'
  const text = !base
    ? t('noBase')
    : base.place === null
      ? t('refused', { reason: base.reason })
      : base.place === 'meta'
        ? t('infoMeta')
        : t('info')
  const duration = (ms: number) =>
    ms < 1000 ? `${Math.max(0.01, ms / 1000).toFixed(2)} s` : formatDuration(ms, language)
  return (
    <div
      role="status"
      className={`flex items-start gap-2 border-t px-5 py-2 max-lg:px-4 ${isWarning ? 'bg-warn-soft text-warn-text' : 'bg-selected'}`}
    >
      <Icon of={isWarning ? TriangleAlert : Info} size={14} className="mt-0.5 flex-none" />
      <span data-testid="channel-notice">
        {result
          ? `${t('verified', {
              count: result.channels,
              tails: duration(result.tail_ms),
              whole: result.whole,
              total: duration(result.all_ms),
            })} `
          : ''}
        {text}
      </span>
    </div>
  )
}

const idList = (channels: readonly ReinforceChannel[]) => channels.map(({ id }) => id).join(',')
const byId = (channel: ReinforceChannel): [number, ReinforceChannel] => [channel.id, channel]

/** Of the package of a channel, as the newest answer says; undefined where it was not made. */
function sizeOf(channel: ReinforceChannel, rows: readonly ReinforceChannel[] | undefined): number | undefined {
  return (rows?.find(({ id }) => id === channel.id) ?? channel).package?.size
}
