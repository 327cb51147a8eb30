import { ArrowLeft, Pause, Play, Save, Send, StepForward, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { type Policy, policyDetail, policyList, savePolicy } from '#contracts/http/policies.ts'
import { PAGES } from '#contracts/pages.ts'
import { changedRules } from '#domain/policy-rules.ts'
import { RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useBasis } from '#src/shared/api/use-basis.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { OutdatedBar } from '#src/shared/ui/outdated-bar.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { DeployDialog } from './deploy-dialog.tsx'
import { deploymentTexts } from './deployment-texts.ts'
import { DryRun } from './dry-run.tsx'
import { MatrixLegend } from './matrix-legend.tsx'
import { type CopyFrom, NewPolicyDialog } from './new-policy-dialog.tsx'
import { PolicySide } from './policy-side.tsx'
import { policyTexts } from './policy-texts.ts'
import { RuleMatrix } from './rule-matrix.tsx'
import { useDeploymentActions } from './use-deployment-actions.ts'
import { useDraft } from './use-draft.ts'
import { useWeekCounts } from './use-week-counts.ts'
import { WordsDialog } from './words-dialog.tsx'

/** One policy: what it does on each risk beside what is deployed, and its way to the phones. */
export function PolicyEditor({ id }: { id: string }) {
  const answer = useEndpoint(policyDetail, { query: { id } }, { refetchInterval: 15_000 })
  const policy = answer.data?.data
  if (answer.error && !policy) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!policy) return <Skeleton lines={12} className="p-5" />
  return <Editor policy={policy} />
}

function Editor({ policy }: { policy: Policy }) {
  const t = useTexts(policyTexts)
  const d = useTexts(deploymentTexts)
  const navigate = useNavigate()
  const nameOf = useNameOf()
  usePageSubject(policy.name)
  const state = useQueryState({ range: '-7d', timeBasis: 'received' })
  const open = useOpenEvents(state)
  const application = useApplications(({ list }) => list?.find((one) => one.id === policy.appid))
  const archived = policy.archived_at !== null
  const mayEdit = useMay('policy.edit') && !archived
  const mayDeploy = useMay('policy.deploy') && !archived
  const draft = useDraft(policy)
  const save = useAction(savePolicy, { refreshes: [policyDetail, policyList] })
  const basis = useBasis(policy, ({ rev }) => rev, draft.dirty)
  const isOutdated = basis.isOutdated && !save.isPending
  const [words, setWords] = useState<RiskType>()
  const [deploying, setDeploying] = useState<{ version?: number }>()
  const [copying, setCopying] = useState<CopyFrom>()

  const live = policy.deployments.find((one) => one.state !== 'ended' && !one.covered)
  const actions = useDeploymentActions(live)
  const asked = Number(state.params.get('base'))
  // What is deployed is shown beside what was before it; a draft beside what is deployed.
  const isDeployed = live !== undefined && live.version === policy.version && !policy.changed && !draft.dirty
  const usual = isDeployed ? (live.before ?? live.version) : (live?.version ?? policy.version)
  const base = policy.versions.find(({ version }) => version === (asked || usual))
  const changes = base ? changedRules(base.rules, draft.rules) : []
  const said = draft.dirty || policy.changed ? t('draft') : `v${policy.version}`
  const onlyChanged = state.params.get('show') === 'changed'
  const week = useWeekCounts(policy.appid)

  async function saveDraft(): Promise<boolean> {
    if (!draft.dirty) return true
    if (isOutdated) {
      setDeploying(undefined) // the bar below it asks what stays
      return false
    }
    try {
      await save.mutateAsync({ body: { id: policy.id, rev: basis.row.rev, rules: draft.rules } })
      draft.reset()
      toast.success(t('saved'))
      return true
    } catch {
      return false // the field already shows the error
    }
  }
  useActions([
    ...(mayEdit && draft.dirty
      ? [
          {
            id: 'policies.save',
            label: t('save'),
            group: policy.name,
            keys: 'Mod+s',
            icon: Save,
            run: () => void saveDraft(),
          },
        ]
      : []),
  ])
  const primaryIsGrow = live?.state === 'running' && actions.next !== undefined && !draft.dirty && !policy.changed

  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={
          <span className="flex items-center gap-2">
            <IconButton icon={ArrowLeft} label={t('back')} onPress={() => void navigate(PAGES.policies.path)} />
            {policy.name}
          </span>
        }
        note={
          <span className="flex flex-wrap items-center gap-2">
            {policy.version > 0 && <Chip>{`v${live?.version ?? policy.version}`}</Chip>}
            {(policy.changed || draft.dirty) && (
              <Chip tone="warn">{policy.version ? t('draftChanged') : t('draftOnly')}</Chip>
            )}
            {archived && <Chip tone="neutral">{t('archived')}</Chip>}
            <span>{nameOf('app', policy.appid)}</span>
            <span>
              {policy.updated_by} <RelativeTime at={policy.updated_at} />
            </span>
          </span>
        }
        actions={
          <>
            {draft.dirty && (
              <Button variant="quiet" icon={Undo2} onPress={draft.reset}>
                {t('reset')}
              </Button>
            )}
            {mayEdit && (
              <Button
                variant={draft.dirty ? 'plain' : 'quiet'}
                icon={Save}
                isDisabled={!draft.dirty || save.isPending || isOutdated}
                onPress={() => void saveDraft()}
              >
                {t('save')}
              </Button>
            )}
            {mayDeploy && live && live.before !== null && (
              <Button icon={Undo2} onPress={actions.rollBack}>
                {d('rollBack', { version: live.before })}
              </Button>
            )}
            {mayDeploy && live?.state === 'running' && (
              <Button icon={Pause} onPress={actions.pause}>
                {d('pause')}
              </Button>
            )}
            {mayDeploy && live?.state === 'paused' && (
              <Button icon={Play} onPress={actions.resume}>
                {d('resume')}
              </Button>
            )}
            {mayDeploy && (
              <Button variant={primaryIsGrow ? 'plain' : 'primary'} icon={Send} onPress={() => setDeploying({})}>
                {t('deploy')}
              </Button>
            )}
            {mayDeploy && primaryIsGrow && (
              <Button variant="primary" icon={StepForward} onPress={actions.grow}>
                {d('grow', { percent: actions.next })}
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
      {application?.protect_type === '0' && (
        <p className="mx-5 mb-2 rounded bg-warn-soft px-3 py-1.5 text-12 text-warn-text">{t('observing')}</p>
      )}
      <div className="grid flex-1 border-t xl:grid-cols-[minmax(0,1fr)_400px]">
        <Section
          plain
          title={t('matrix')}
          note={t('matrixNote', { risks: Object.keys(RISK_TYPES).length })}
          className="xl:border-r"
          actions={
            <>
              <MatrixLegend base={base?.version} draft={said} />
              <SegmentedControl
                size="small"
                label={t('matrix')}
                value={onlyChanged ? 'changed' : 'all'}
                onChange={(show) => state.setParams({ show: show === 'changed' ? 'changed' : null }, true)}
                items={[
                  { id: 'all', label: t('all') },
                  { id: 'changed', label: t('onlyChanged'), note: changes.length },
                ]}
              />
            </>
          }
        >
          {onlyChanged && changes.length === 0 && base ? (
            <p className="px-5 py-6 text-muted">{t('noChange', { version: `v${base.version}` })}</p>
          ) : (
            <RuleMatrix
              rules={draft.rules}
              before={base?.rules}
              changes={changes}
              onlyChanged={onlyChanged && base !== undefined}
              counts={week.counts}
              isDisabled={!mayEdit}
              onLevel={draft.setLevel}
              onRisk={draft.setRisk}
              onWords={setWords}
              onRows={(risk) => open.openRows(week.queryOf(risk))}
            />
          )}
          <DryRun counts={week.counts} draft={draft.rules} name={said} before={base} />
        </Section>
        <PolicySide
          policy={policy}
          live={live}
          base={base?.version}
          mayEdit={mayEdit}
          mayDeploy={mayDeploy}
          onBase={(version) => state.setParams({ base: version === null ? null : String(version) }, true)}
          onDeploy={(version) => setDeploying({ version })}
          onCopy={(version) => setCopying({ id: policy.id, name: policy.name, appid: policy.appid, version })}
          onEnd={actions.end}
          onRows={open.openRows}
        />
      </div>
      {words && (
        <WordsDialog
          risk={words}
          words={draft.rules.risks[words]?.text}
          isReadOnly={!mayEdit}
          onClose={() => setWords(undefined)}
          onSave={(text) => draft.setWords(words, text)}
        />
      )}
      {deploying && (
        <DeployDialog
          policy={policy}
          version={deploying.version}
          changed={changes.length}
          observes={application?.protect_type === '0'}
          saveFirst={saveDraft}
          onClose={() => setDeploying(undefined)}
        />
      )}
      {copying && (
        <NewPolicyDialog
          from={copying}
          onClose={() => setCopying(undefined)}
          onCreated={(created) => void navigate(`${PAGES.policies.path}?policy=${created}`)}
        />
      )}
      <EventDrawers state={state} now={week.now} />
    </div>
  )
}
