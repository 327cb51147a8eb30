import { ArrowLeft, Copy, Download, Save, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { APPLICATION_TYPES } from '#contracts/detection/kinds.ts'
import {
  exportReinforcePolicy,
  type ReinforcePolicy,
  reinforcePolicies,
  reinforcePolicy,
  saveReinforcePolicy,
} from '#contracts/http/reinforce-policies.ts'
import { PAGES } from '#contracts/pages.ts'
import {
  isCarriedOut,
  REINFORCE_GRADES,
  REINFORCE_GROUPS,
  REINFORCE_OPTION_KEYS,
  REINFORCE_OPTIONS,
  type ReinforceGrade,
  type ReinforceGroup,
  type ReinforceOption,
} from '#domain/reinforce-options.ts'
import { chosenOptions, missingSettings } from '#domain/reinforce-policy.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useBasis } from '#src/shared/api/use-basis.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { OutdatedBar } from '#src/shared/ui/outdated-bar.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { GradeMark } from '../parts/grade-mark.tsx'
import { NewPolicyDialog } from './new-policy-dialog.tsx'
import { groupAnchor, OptionList, optionAnchor } from './option-list.tsx'
import { PolicySummary } from './policy-summary.tsx'
import { reinforceTexts } from './reinforce-texts.ts'
import { usePolicyDraft } from './use-policy-draft.ts'

const GROUPS = Object.keys(REINFORCE_GROUPS) as ReinforceGroup[]
type Shown = 'all' | 'on' | 'fix'

export function PolicyEditor({ id }: { id: string }) {
  const answer = useEndpoint(reinforcePolicy, { query: { id } })
  const policy = answer.data?.data
  if (answer.error && !policy) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!policy) return <Skeleton lines={12} className="p-5" />
  return <Editor policy={policy} />
}

/** One policy: groups, options with their settings, and what it comes to. */
function Editor({ policy }: { policy: ReinforcePolicy }) {
  const t = useTexts(reinforceTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  usePageSubject(policy.name)
  const draft = usePolicyDraft(policy)
  const [find, setFind] = useState('')
  const [shown, setShown] = useState<Shown>('all')
  const [isCopying, setCopying] = useState(false)
  const save = useAction(saveReinforcePolicy, { refreshes: [reinforcePolicy, reinforcePolicies] })
  const basis = useBasis(policy, ({ rev }) => rev, draft.changes > 0)
  const isOutdated = basis.isOutdated && !save.isPending
  const isDisabled = !policy.manageable
  const { content } = draft
  const chosen = chosenOptions(content.options)
  const missing = missingSettings(content.options)
  const words = find.trim().toLowerCase()
  const list = REINFORCE_OPTION_KEYS.filter((option) => {
    const { zh, en } = REINFORCE_OPTIONS[option]
    if (words && !`${zh} ${en} ${option}`.toLowerCase().includes(words)) return false
    if (shown === 'on') return content.options[option].on
    return shown === 'all' || missing.some((one) => one.option === option)
  })
  const carriedOut = REINFORCE_OPTION_KEYS.filter(isCarriedOut).length
  const canSave =
    draft.changes > 0 && missing.length === 0 && content.name.trim() !== '' && !save.isPending && !isOutdated

  async function saveDraft(): Promise<void> {
    const { signature_id, ...rest } = content
    const body = {
      id: policy.id,
      rev: basis.row.rev,
      ...rest,
      // One that the caller may not see stays as it is unless another was chosen.
      ...((!policy.hidden_signature || draft.isSignatureChosen) && { signature_id }),
    }
    try {
      const { data } = await save.mutateAsync({ body })
      draft.reset()
      toast.success(t('saved', { version: data.rev }))
    } catch {
      // the refusal is shown as a message
    }
  }
  function goTo(option: ReinforceOption): void {
    setFind('')
    setShown('all')
    // After the row is there again.
    requestAnimationFrame(() => {
      const row = document.getElementById(optionAnchor(option))
      row?.scrollIntoView({ block: 'center' })
      row?.querySelector<HTMLElement>('textarea, input[type=text], fieldset input')?.focus()
    })
  }
  const version = policy.rev + 1
  useActions(
    canSave
      ? [
          {
            id: 'reinforce.save',
            label: t('save', { version }),
            group: policy.name,
            keys: 'Mod+s',
            icon: Save,
            run: () => void saveDraft(),
          },
        ]
      : [],
  )

  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={
          <span className="flex items-center gap-2">
            <IconButton
              icon={ArrowLeft}
              label={t('back')}
              onPress={() => void navigate(PAGES.reinforce_policies.path)}
            />
            {policy.name}
          </span>
        }
        note={
          <span className="flex flex-wrap items-center gap-2">
            <Chip>{`v${policy.rev}`}</Chip>
            {draft.changes > 0 && <Chip tone="warn">{t('changed', { count: draft.changes })}</Chip>}
            {policy.general && <span>{t('general')}</span>}
            {policy.industry !== '' && <span>{APPLICATION_TYPES[policy.industry][language]}</span>}
            <span>
              {policy.updated_by} <RelativeTime at={policy.updated_at} />
            </span>
          </span>
        }
        actions={
          <>
            {draft.changes > 0 && (
              <Button variant="quiet" icon={Undo2} onPress={draft.reset}>
                {t('reset')}
              </Button>
            )}
            <a className={buttonClass('quiet')} href={downloadHref(exportReinforcePolicy, { id: policy.id })} download>
              <Icon of={Download} size={16} />
              {t('export')}
            </a>
            <Button icon={Copy} onPress={() => setCopying(true)}>
              {t('copy')}
            </Button>
            {!isDisabled && (
              <Button variant="primary" icon={Save} isDisabled={!canSave} onPress={() => void saveDraft()}>
                {t('save', { version })}
              </Button>
            )}
          </>
        }
      />
      {isOutdated && (
        <div className="mx-5 mb-2">
          <OutdatedBar onKeep={basis.keepMine} onDiscard={draft.reset} />
        </div>
      )}
      {isDisabled && <p className="mx-5 mb-2 rounded bg-neutral px-3 py-1.5 text-12">{t('readOnly')}</p>}
      {carriedOut < REINFORCE_OPTION_KEYS.length && (
        <p className="mx-5 mb-2 rounded bg-warn-soft px-3 py-1.5 text-12 text-warn-text">
          {t('enginePart', { count: carriedOut, all: REINFORCE_OPTION_KEYS.length })}
        </p>
      )}
      <div className="grid flex-1 border-t lg:grid-cols-[176px_minmax(0,1fr)] xl:grid-cols-[176px_minmax(0,1fr)_372px]">
        <nav aria-label={t('options')} className="border-r py-2 max-lg:hidden">
          {GROUPS.map((group) => {
            const all = REINFORCE_OPTION_KEYS.filter((option) => REINFORCE_OPTIONS[option].group === group)
            const isMissing = missing.some(({ option }) => REINFORCE_OPTIONS[option].group === group)
            return (
              <button
                key={group}
                type="button"
                onClick={() => document.getElementById(groupAnchor(group))?.scrollIntoView({ block: 'start' })}
                className="flex h-9 w-full items-center gap-2 px-5 text-left hover:bg-hover"
              >
                <span className="min-w-0 flex-1">{REINFORCE_GROUPS[group][language]}</span>
                {isMissing && <span role="img" aria-label={t('toFix')} className="size-1.5 rounded-full bg-bad" />}
                <span className="text-12 text-muted tabular-nums">
                  {chosen.filter((option) => all.includes(option)).length} / {all.length}
                </span>
              </button>
            )
          })}
          <div className="mt-3 border-t px-5 pt-3">
            <p className="pb-2 text-12 text-muted">{t('grades')}</p>
            {(Object.keys(REINFORCE_GRADES) as ReinforceGrade[]).map((grade) => (
              <p key={grade} className="flex items-start gap-2 pb-1.5 text-12">
                <GradeMark grade={grade} />
                {REINFORCE_GRADES[grade][language]}
              </p>
            ))}
          </div>
        </nav>
        <div className="min-w-0 xl:border-r">
          <div className="flex flex-wrap items-center gap-2 border-b px-5 py-2">
            <SearchBox label={t('find')} value={find} onSearch={setFind} className="w-44" />
            <SegmentedControl
              size="small"
              label={t('show')}
              value={shown}
              onChange={setShown}
              items={[
                { id: 'all', label: t('all'), note: REINFORCE_OPTION_KEYS.length },
                { id: 'on', label: t('on'), note: chosen.length },
                { id: 'fix', label: t('toFix'), note: missing.length },
              ]}
            />
          </div>
          {list.length === 0 ? (
            <EmptyState
              kind="filtered"
              title={t('noMatch')}
              action={
                <Button
                  onPress={() => {
                    setFind('')
                    setShown('all')
                  }}
                >
                  {t('showAll')}
                </Button>
              }
            />
          ) : (
            <OptionList options={list} draft={draft} missing={missing} isDisabled={isDisabled} />
          )}
        </div>
        <div className="min-w-0 lg:max-xl:col-start-2">
          <PolicySummary policy={policy} draft={draft} missing={missing} isDisabled={isDisabled} onGoTo={goTo} />
        </div>
      </div>
      {isCopying && (
        <NewPolicyDialog
          from={policy}
          note={draft.changes > 0 ? t('copyDirty') : undefined}
          onClose={() => setCopying(false)}
          onCreated={(id) => void navigate(`${PAGES.reinforce_policies.path}?policy=${id}`)}
        />
      )}
    </div>
  )
}
