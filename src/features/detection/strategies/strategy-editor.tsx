import { ArrowLeft, Copy, Save } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { detectionItems, type Strategy, saveStrategy, strategies } from '#contracts/http/detection/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useBasis } from '#src/shared/api/use-basis.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { OutdatedBar } from '#src/shared/ui/outdated-bar.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { useStillShown } from '#src/shared/ui/use-still-shown.ts'
import { GateFields } from './gate-fields.tsx'
import { ItemTree } from './item-tree.tsx'
import { strategiesTexts } from './strategies-texts.ts'
import { draftOf, rulesOf, type StrategyDraft } from './strategy-draft.ts'

/** One strategy: name, the items it examines with their levels, and what a release needs. A new one begins with the rules of another. */
export function StrategyEditor({ strategy, isNew }: { strategy: Strategy; isNew: boolean }) {
  const t = useTexts(strategiesTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const isStillShown = useStillShown()
  const mayEdit = useMay('rule.edit')
  const isReadOnly = !mayEdit || (strategy.built_in && !isNew)
  const begin = () => {
    const name = isNew ? t('copyOf', { name: strategy.name[language] }) : strategy.name[language]
    return draftOf(strategy, name, strategy.note[language])
  }
  // What is stored until something is written.
  const [edited, setEdited] = useState<StrategyDraft | undefined>(isNew ? begin : undefined)
  const draft = edited ?? begin()
  const dirty = edited !== undefined
  const [asked, setAsked] = useState(false)
  const items = useEndpoint(detectionItems, {}, { staleTime: Number.POSITIVE_INFINITY })
  const rules = items.data && rulesOf(draft, items.data.data)
  const change = (part: Partial<StrategyDraft>) => setEdited((before) => ({ ...(before ?? begin()), ...part }))
  const save = useAction(saveStrategy, {
    refreshes: [strategies],
    onSuccess: ({ data }) => {
      toast.success(t('saved'))
      setEdited(undefined)
      if (isStillShown()) void navigate(`${PAGES.strategies.path}?strategy=${data.id}`, { replace: true })
    },
  })
  const basis = useBasis(strategy, ({ rev }) => rev, dirty && !isNew)
  const isOutdated = basis.isOutdated && !save.isPending
  const submit = () => {
    setAsked(true)
    if (!rules || !draft.name.trim() || isOutdated) return
    const own = isNew ? {} : { id: strategy.id, rev: basis.row.rev }
    save.mutate({ body: { ...rules, ...own, name: draft.name.trim(), note: draft.note.trim() } })
  }
  const leave = async () => {
    const question = { title: t('leaveTitle'), text: t('leaveText'), action: t('leave') }
    if (!dirty || isNew || (await confirm(question))) void navigate(PAGES.strategies.path)
  }
  useActions(
    isReadOnly
      ? []
      : [{ id: 'strategy.save', label: t('save'), group: t('list'), keys: 'Mod+s', icon: Save, run: submit }],
  )
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={
          <span className="flex items-center gap-2">
            <IconButton icon={ArrowLeft} label={t('back')} onPress={() => void leave()} />
            {isNew ? t('create') : strategy.name[language]}
          </span>
        }
        note={strategy.built_in && !isNew && <Chip tone="neutral">{t('builtIn')}</Chip>}
        actions={
          isReadOnly ? (
            mayEdit && (
              <Button icon={Copy} onPress={() => void navigate(`${PAGES.strategies.path}?from=${strategy.id}`)}>
                {t('copy')}
              </Button>
            )
          ) : (
            <Button variant="primary" icon={Save} isDisabled={!dirty || save.isPending || isOutdated} onPress={submit}>
              {t('save')}
            </Button>
          )
        }
      />
      {isOutdated && (
        <div className="mx-5 mb-2">
          <OutdatedBar onKeep={basis.keepMine} onDiscard={() => setEdited(undefined)} />
        </div>
      )}
      {isReadOnly && (
        <p className="mx-5 mb-2 rounded bg-neutral px-3 py-1.5 text-12">{t(mayEdit ? 'readOnly' : 'needsRight')}</p>
      )}
      <div className="grid flex-1 grid-cols-[400px_minmax(0,1fr)] border-t max-lg:grid-cols-1">
        <div className="border-r max-lg:border-r-0">
          <div className="flex flex-col gap-3 px-5 py-4">
            <TextField
              label={t('name')}
              value={draft.name}
              onChange={(name) => change({ name })}
              maxLength={64}
              isReadOnly={isReadOnly}
              error={asked && !draft.name.trim() ? t('nameEmpty') : undefined}
            />
            <TextField
              label={t('description')}
              value={draft.note}
              onChange={(note) => change({ note })}
              rows={2}
              maxLength={500}
              isReadOnly={isReadOnly}
            />
          </div>
          <Section plain title={t('gate')} note={t('gateNote')} className="border-t" bodyClassName="px-5 pb-5">
            <GateFields draft={draft} items={items.data?.data ?? []} isReadOnly={isReadOnly} onChange={change} />
          </Section>
        </div>
        {items.error ? (
          <ErrorState error={items.error} onRetry={() => void items.refetch()} />
        ) : items.data ? (
          <ItemTree draft={draft} items={items.data.data} isReadOnly={isReadOnly} onChange={change} />
        ) : (
          <Skeleton lines={14} height="24px" className="p-5" />
        )}
      </div>
    </div>
  )
}
