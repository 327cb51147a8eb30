import { Play, WandSparkles } from 'lucide-react'
import { useState } from 'react'
import type { BodyOf } from '#contracts/http/endpoint.ts'
import {
  deleteMarkets,
  type MarketConnector,
  marketDetail,
  markets,
  saveMarket,
  suggestMarket,
  tryMarket,
} from '#contracts/http/monitoring/markets.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { connectorOf, draftOf, hostsOf, type MarketDraft, NEW_MARKET, withConnector } from './market-draft.ts'
import { Basics, Fields, Request } from './market-fields.tsx'
import { marketsTexts } from './markets-texts.ts'
import { Suggestions, type Trial, TrialResult } from './trial-result.tsx'

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

function suggestBody(
  { connector, hosts, interval_ms }: { connector: MarketConnector; hosts: string[]; interval_ms: number },
  keyword: string,
): BodyOf<typeof suggestMarket> {
  if (connector.kind === 'manual') throw new Error('people look at this market')
  const { url, form, encoding, firstPage, pages } = connector
  return { url, form, encoding, firstPage, pages, hosts, interval_ms, keyword }
}
