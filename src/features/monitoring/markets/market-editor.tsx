import { CircleCheck, CircleX, Play, WandSparkles } from 'lucide-react'
import { useState } from 'react'
import type { BodyOf, ResponseOf } from '#contracts/http/endpoint.ts'
import {
  deleteMarkets,
  MARKET_KIND_NAMES,
  MARKET_KINDS,
  MARKET_PROBLEMS,
  MARKET_REGIONS,
  type MarketConnector,
  type MarketRegion,
  marketDetail,
  markets,
  saveMarket,
  suggestMarket,
  tryMarket,
} from '#contracts/http/monitoring/markets.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import {
  connectorOf,
  draftOf,
  FIELD_NAMES,
  type FieldName,
  hasForm,
  hostsOf,
  type MarketDraft,
  NEW_MARKET,
  type Way,
  withConnector,
} from './market-draft.ts'
import { marketsTexts } from './markets-texts.ts'

type Trial = ResponseOf<typeof tryMarket>
type Suggested = ResponseOf<typeof suggestMarket>
type MarketText = ReturnType<typeof useTexts<keyof typeof marketsTexts.entries & string>>
const WAYS: readonly Way[] = ['html', 'json', 'rss', 'sitemap', 'manual']
const REGIONS = Object.keys(MARKET_REGIONS) as MarketRegion[]

/** A market in a sheet: how it is asked, a trial run, and saving, which needs one good trial. `id` '' makes a new one. */
export function MarketEditor({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts(marketsTexts)
  const answer = useEndpoint(marketDetail, { query: { id: id || 'none' } }, { enabled: id !== '' })
  if (id === '')
    return <Editor id="" first={NEW_MARKET} isBuiltIn={false} untried="" title={t('create')} onClose={onClose} />
  if (answer.data) {
    const { data } = answer.data
    return (
      <Editor
        id={id}
        first={draftOf(answer.data)}
        isBuiltIn={data.built_in}
        untried={data.untried ? answer.data.source : ''}
        title={t('edit', { name: data.name })}
        onClose={onClose}
      />
    )
  }
  return (
    <Drawer isOpen onClose={onClose} title={t('group')} width="560px">
      {answer.error ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton lines={10} height="28px" className="p-5" />
      )}
    </Drawer>
  )
}

function Editor({
  id,
  first,
  isBuiltIn,
  untried,
  title,
  onClose,
}: {
  id: string
  first: MarketDraft
  isBuiltIn: boolean
  /** Documentation that its connector was written from, where it was not tried here; '' otherwise. */
  untried: string
  title: string
  onClose: () => void
}) {
  const t = useTexts(marketsTexts)
  const [draft, setDraft] = useState(first)
  const [keyword, setKeyword] = useState('')
  const [trial, setTrial] = useState<Trial | null>(null)
  const [tried, setTried] = useState(false)
  const refreshes = [markets, marketDetail]
  const attempt = useAction(tryMarket, { quiet: true, onSuccess: setTrial })
  const suggest = useAction(suggestMarket, { quiet: true })
  const save = useAction(saveMarket, {
    refreshes,
    onSuccess: () => {
      toast.success(t('saved'))
      onClose()
    },
  })
  const remove = useAction(deleteMarkets, {
    refreshes,
    onSuccess: () => {
      deleted()
      onClose()
    },
  })
  const connector = connectorOf(draft)
  const isUnchanged =
    JSON.stringify([connector, hostsOf(draft)]) === JSON.stringify([connectorOf(first), hostsOf(first)]) && id !== ''
  const maySave = connector.kind === 'manual' || isUnchanged || (trial?.trial ?? '') !== ''
  const isNamed = draft.zh.trim() !== '' && draft.en.trim() !== ''
  const body = {
    names: { zh: draft.zh.trim(), en: draft.en.trim() },
    kind: draft.kind,
    region: draft.region,
    home: draft.home.trim(),
    hosts: hostsOf(draft),
    interval_ms: Math.max(200, Number(draft.interval) || 3000),
    connector,
  }
  function set(change: Partial<MarketDraft>, keepsTrial = false): void {
    setDraft({ ...draft, ...change })
    // A trial speaks of the connector that was tried.
    if (keepsTrial) return
    setTrial(null)
    attempt.reset()
    suggest.reset()
  }
  async function ask(): Promise<void> {
    if (
      await confirmDeletion({ title: t('deleteTitle', { name: draft.zh }), text: t('deleteText'), action: t('delete') })
    )
      remove.mutate({ body: { ids: [id] } })
  }
  function submit(): void {
    setTried(true)
    if (isNamed) save.mutate({ body: { id, ...body, enabled: draft.enabled, trial: trial?.trial ?? '' } })
  }
  return (
    <Drawer
      isOpen
      onClose={onClose}
      takeFocus
      title={title}
      width="560px"
      actions={
        <Switch isSelected={draft.enabled} onChange={(enabled) => set({ enabled }, true)}>
          {t('enabled')}
        </Switch>
      }
      footer={
        <>
          <span className="mr-auto text-12 text-muted">{maySave ? '' : t('trialFirst')}</span>
          {id !== '' && !isBuiltIn && (
            <Button variant="quiet" isDisabled={remove.isPending} onPress={() => void ask()}>
              {t('delete')}
            </Button>
          )}
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="primary" isDisabled={!maySave || save.isPending} onPress={submit}>
            {t('save')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 p-5">
        {untried && (
          <p className="rounded bg-warn-soft px-3 py-2 text-12 text-warn-text">
            {t('untriedNote')}{' '}
            <a href={untried} target="_blank" rel="noreferrer" className="underline">
              {t('source')}
            </a>
          </p>
        )}
        <Basics draft={draft} set={set} tried={tried} isBuiltIn={isBuiltIn} t={t} />
        <Request draft={draft} set={set} t={t} />
        {draft.way !== 'manual' && (
          <>
            {draft.way !== 'sitemap' && (
              <Fields title={t('fields')} values={draft.fields} onChange={(fields) => set({ fields })} t={t} />
            )}
            {draft.way !== 'sitemap' && (
              <Checkbox isSelected={draft.hasDetail} onChange={(hasDetail) => set({ hasDetail })}>
                {t('detail')}
              </Checkbox>
            )}
            {(draft.hasDetail || draft.way === 'sitemap') && (
              <>
                <SegmentedControl
                  size="small"
                  label={t('detailKind')}
                  value={draft.detailKind}
                  onChange={(detailKind) => set({ detailKind })}
                  items={(['html', 'json'] as const).map((one) => ({ id: one, label: one.toUpperCase() }))}
                />
                <Fields
                  title={t('detailFields')}
                  values={draft.detailFields}
                  onChange={(detailFields) => set({ detailFields })}
                  t={t}
                />
              </>
            )}
            <div className="flex items-end gap-2 border-t pt-4">
              <TextField
                label={t('keyword')}
                value={keyword}
                onChange={setKeyword}
                maxLength={60}
                autoComplete="off"
                className="flex-1"
              />
              <Button
                icon={WandSparkles}
                isDisabled={suggest.isPending || !keyword.trim() || !draft.url.trim()}
                onPress={() => {
                  attempt.reset()
                  setTrial(null)
                  suggest.mutate({ body: suggestBody(body, keyword.trim()) })
                }}
              >
                {t('suggest')}
              </Button>
              <Button
                icon={Play}
                isDisabled={attempt.isPending || !keyword.trim() || !isNamed}
                onPress={() => {
                  suggest.reset()
                  attempt.mutate({ body: { ...body, keyword: keyword.trim() } })
                }}
              >
                {t('try')}
              </Button>
            </div>
            <Suggestions
              found={suggest.data ?? null}
              error={suggest.error?.message ?? ''}
              isPending={suggest.isPending}
              onChoose={(connector) => {
                setDraft(withConnector(draft, connector))
                setTrial(null)
                suggest.reset()
                attempt.reset()
              }}
              t={t}
            />
            <TrialResult trial={trial} error={attempt.error?.message ?? ''} isPending={attempt.isPending} t={t} />
          </>
        )}
      </div>
    </Drawer>
  )
}

type Set = (change: Partial<MarketDraft>, keepsTrial?: boolean) => void

function Basics({
  draft,
  set,
  tried,
  isBuiltIn,
  t,
}: {
  draft: MarketDraft
  set: Set
  tried: boolean
  isBuiltIn: boolean
  t: MarketText
}) {
  const language = useLanguage()
  const nameError = (text: string) => (tried && !text.trim() ? t('nameEmpty') : undefined)
  return (
    <>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <TextField
          label={t('nameZh')}
          value={draft.zh}
          onChange={(zh) => set({ zh }, true)}
          maxLength={60}
          error={nameError(draft.zh)}
          isRequired
          isReadOnly={isBuiltIn}
          autoComplete="off"
        />
        <TextField
          label={t('nameEn')}
          value={draft.en}
          onChange={(en) => set({ en }, true)}
          maxLength={60}
          error={nameError(draft.en)}
          isRequired
          isReadOnly={isBuiltIn}
          autoComplete="off"
        />
        <Select
          label={t('kindField')}
          value={draft.kind}
          onChange={(kind) => set({ kind }, true)}
          items={MARKET_KIND_NAMES.map((one) => ({ id: one, label: MARKET_KINDS[one][language] }))}
        />
        <Select
          label={t('regionField')}
          value={draft.region}
          onChange={(region) => set({ region }, true)}
          items={REGIONS.map((one) => ({ id: one, label: MARKET_REGIONS[one][language] }))}
        />
      </div>
      <TextField
        label={t('home')}
        value={draft.home}
        onChange={(home) => set({ home }, true)}
        maxLength={1000}
        mono
        autoComplete="off"
      />
    </>
  )
}

function Request({ draft, set, t }: { draft: MarketDraft; set: Set; t: MarketText }) {
  return (
    <>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Select
          label={t('way')}
          value={draft.way}
          onChange={(way) => set({ way })}
          items={WAYS.map((one) => ({ id: one, label: t(`way_${one}`) }))}
        />
        <TextField
          label={t('interval')}
          value={draft.interval}
          onChange={(interval) => set({ interval }, true)}
          maxLength={6}
          autoComplete="off"
        />
      </div>
      {draft.way !== 'manual' && (
        <>
          <TextField
            label={t('url')}
            value={draft.url}
            onChange={(url) => set({ url })}
            note={t('urlNote')}
            maxLength={1000}
            mono
            autoComplete="off"
          />
          <TextField
            label={t('hosts')}
            value={draft.hosts}
            onChange={(hosts) => set({ hosts })}
            note={t('hostsNote')}
            rows={2}
            mono
          />
          <div className="grid grid-cols-3 gap-3 max-sm:grid-cols-1">
            <Select
              label={t('encoding')}
              value={draft.encoding}
              onChange={(encoding) => set({ encoding })}
              items={(['utf-8', 'gb18030', 'big5'] as const).map((one) => ({ id: one, label: one.toUpperCase() }))}
            />
            <TextField
              label={t('firstPage')}
              value={draft.firstPage}
              onChange={(firstPage) => set({ firstPage })}
              maxLength={4}
              autoComplete="off"
            />
            <TextField
              label={t('pages')}
              value={draft.pages}
              onChange={(pages) => set({ pages })}
              maxLength={2}
              autoComplete="off"
            />
          </div>
          {hasForm(draft) && (
            <TextField
              label={t('form')}
              value={draft.form}
              onChange={(form) => set({ form })}
              note={t('formNote')}
              maxLength={1000}
              mono
              autoComplete="off"
            />
          )}
          {draft.way === 'sitemap' ? (
            <TextField
              label={t('contains')}
              value={draft.contains}
              onChange={(contains) => set({ contains })}
              maxLength={200}
              mono
              autoComplete="off"
            />
          ) : (
            draft.way !== 'rss' && (
              <TextField
                label={t('items')}
                value={draft.items}
                onChange={(items) => set({ items })}
                note={t('itemsNote')}
                maxLength={300}
                mono
                autoComplete="off"
              />
            )
          )}
        </>
      )}
    </>
  )
}

function Fields({
  title,
  values,
  onChange,
  t,
}: {
  title: string
  values: MarketDraft['fields']
  onChange: (values: Record<FieldName, string>) => void
  t: MarketText
}) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-semibold">
        {title} <span className="text-12 font-normal text-muted">{t('fieldsNote')}</span>
      </legend>
      {FIELD_NAMES.map((name) => (
        <div key={name} className="flex items-center gap-3">
          <span className="w-20 flex-none text-muted">{t(`field_${name}`)}</span>
          <TextField
            hideLabel
            label={`${title} ${t(`field_${name}`)}`}
            value={values[name]}
            onChange={(text) => onChange({ ...values, [name]: text })}
            maxLength={660}
            mono
            autoComplete="off"
            className="flex-1"
          />
        </div>
      ))}
    </fieldset>
  )
}

function suggestBody(
  { connector, hosts, interval_ms }: { connector: MarketConnector; hosts: string[]; interval_ms: number },
  keyword: string,
): BodyOf<typeof suggestMarket> {
  if (connector.kind === 'manual') throw new Error('people look at this market')
  const { url, form, encoding, firstPage, pages } = connector
  return { url, form, encoding, firstPage, pages, hosts, interval_ms, keyword }
}

/** Entries that were found on the page, each with the rules that read it: the user presses the right one. */
function Suggestions({
  found,
  error,
  isPending,
  onChoose,
  t,
}: {
  found: Suggested | null
  error: string
  isPending: boolean
  onChoose: (connector: MarketConnector) => void
  t: MarketText
}) {
  const language = useLanguage()
  if (isPending) return <p className="text-muted">{t('trying')}</p>
  if (!found && !error) return null
  const problem = found?.problem ? `${MARKET_PROBLEMS[found.problem][language]} ${found.detail}` : ''
  const list = found?.suggestions ?? []
  return (
    <div aria-live="polite" className="flex flex-col gap-2 rounded border bg-canvas p-3">
      <p className={error || problem ? 'text-bad-text' : 'text-muted'}>
        {error || problem || t(list.length ? 'suggestTitle' : 'suggestNone')}
      </p>
      {list.map(({ connector, items, sample }) => (
        <button
          key={JSON.stringify(connector)}
          type="button"
          onClick={() => onChoose(connector)}
          className="flex flex-col gap-0.5 rounded border bg-surface px-3 py-2 text-left hover:border-brand"
        >
          <span className="flex items-baseline gap-2">
            <b className="text-clip-line font-semibold">{sample.name || sample.package}</b>
            <span className="text-12 text-muted">{sample.version || t('noVersion')}</span>
            <span className="ml-auto flex-none text-12 text-muted">{t('suggestItems', { count: items })}</span>
          </span>
          <span className="text-clip-line font-mono text-12 text-muted" title={sample.download}>
            {sample.download}
          </span>
        </button>
      ))}
    </div>
  )
}

/** @param error why there was no trial; '' otherwise */
function TrialResult({
  trial,
  error,
  isPending,
  t,
}: {
  trial: Trial | null
  error: string
  isPending: boolean
  t: MarketText
}) {
  const language = useLanguage()
  if (isPending) return <p className="text-muted">{t('trying')}</p>
  if (!trial && !error) return null
  const textOf = ({ problem, detail, trial: key, pages, items, candidates }: Trial) =>
    problem
      ? `${MARKET_PROBLEMS[problem][language]}${detail ? ` (${detail})` : ''}`
      : t(key === '' ? 'triedNothing' : 'tried', { pages, items, candidates: candidates.length })
  const isGood = !error && trial?.trial !== ''
  const text = error || (trial && textOf(trial))
  return (
    <div aria-live="polite" className="flex flex-col gap-2 rounded border bg-canvas p-3">
      <p className={`flex items-start gap-2 ${isGood ? 'text-good-text' : 'text-bad-text'}`}>
        <Icon of={isGood ? CircleCheck : CircleX} size={16} className="mt-0.5 flex-none" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
      </p>
      {!error && trial !== null && trial.candidates.length > 0 && (
        <ul className="flex flex-col gap-1 text-12">
          {trial.candidates.slice(0, 8).map((one) => (
            <li key={`${one.download} ${one.page}`} className="text-clip-line" title={one.download || one.page}>
              {[one.name, one.package, one.version, one.downloads ?? ''].filter(Boolean).join(' · ')}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
