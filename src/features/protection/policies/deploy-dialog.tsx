import { useState } from 'react'
import {
  deployPolicy,
  type Policy,
  policyDetail,
  policyList,
  policyReach,
  ROLL_OUT_STAGES,
} from '#contracts/http/policies.ts'
import { sameRules } from '#domain/policy-rules.ts'
import { call } from '#src/shared/api/call.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { FIELD_LABEL } from '#src/shared/ui/field.ts'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { deploymentTexts } from './deployment-texts.ts'

const DRAFT = 'draft'
type Percent = `${(typeof ROLL_OUT_STAGES)[number]}`

/** Which version goes to which app versions and to how many devices. What was edited is saved first. */
export function DeployDialog({
  policy,
  version,
  changed,
  observes,
  saveFirst,
  onClose,
}: {
  policy: Policy
  /** Chosen already; undefined: the draft. */
  version: number | undefined
  /** How many risks differ from what is deployed. */
  changed: number
  observes: boolean
  saveFirst: () => Promise<boolean>
  onClose: () => void
}) {
  const t = useTexts(deploymentTexts)
  const nameOf = useNameOf()
  const live = policy.deployments.find((one) => one.state !== 'ended' && !one.covered)
  const [what, setWhat] = useState(version === undefined ? DRAFT : String(version))
  const [versions, setVersions] = useState(live?.app_versions.join(', ') ?? '')
  const [percent, setPercent] = useState<Percent>('1')
  const [guarded, setGuarded] = useState(true)
  const seen = useSeenVersions(policy.appid)
  const deploy = useAction(deployPolicy, { refreshes: [policyDetail, policyList, policyReach] })
  const newest = policy.versions[0]
  const same = newest !== undefined && sameRules(newest.rules, policy.draft)

  async function submit(): Promise<void> {
    if (what === DRAFT && !(await saveFirst())) return
    // Saving moved the draft on.
    const { data: fresh } = await call(policyDetail, { query: { id: policy.id } })
    deploy.mutate(
      {
        body: {
          id: policy.id,
          rev: fresh.rev,
          ...(what !== DRAFT && { version: Number(what) }),
          app_versions: versionsIn(versions),
          percent: Number(percent),
          guarded,
        },
      },
      {
        onSuccess: ({ data }) => {
          toast.success(t('deployed', { version: data.deployments[0]?.version, percent }))
          onClose()
        },
      },
    )
  }

  return (
    <Dialog
      title={t('deployTitle')}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="primary" isDisabled={deploy.isPending} onPress={() => void submit()}>
            {t('confirm')}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <p className="text-12 text-muted">
          {policy.name}　{nameOf('app', policy.appid)}
          {what === DRAFT && changed > 0 && `　${t('changesToDeploy', { count: changed })}`}
        </p>
        {observes && <p className="rounded bg-warn-soft px-3 py-2 text-12 text-warn-text">{t('observing')}</p>}
        <Select
          label={t('what')}
          value={what}
          onChange={setWhat}
          items={[
            {
              id: DRAFT,
              label: same
                ? t('draftSame', { version: newest.version })
                : t('draftAs', { version: (newest?.version ?? 0) + 1 }),
            },
            ...policy.versions.map((one) => ({ id: String(one.version), label: `v${one.version}` })),
          ]}
        />
        <TextField
          label={t('appVersions')}
          value={versions}
          onChange={setVersions}
          note={seen.length ? t('appVersionsNote', { seen: seen.join('、') }) : t('appVersionsPlain')}
          autoComplete="off"
        />
        <div>
          <span className={FIELD_LABEL}>{t('percent')}</span>
          <SegmentedControl
            label={t('percent')}
            value={percent}
            onChange={setPercent}
            items={ROLL_OUT_STAGES.map((stage) => ({ id: `${stage}` as Percent, label: `${stage}%` }))}
          />
          <p className="mt-1.5 text-12 text-muted">{t('stable')}</p>
          {Number(percent) < 100 && (
            <div className="mt-3">
              <Switch isSelected={guarded} onChange={setGuarded}>
                {t('guardDeploy')}
              </Switch>
            </div>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function versionsIn(text: string): string[] {
  return [...new Set(text.split(/[\s,，、;；]+/).filter(Boolean))].slice(0, 50)
}

/** Versions of the app that reported lately, most events first. */
function useSeenVersions(appid: string): string[] {
  const mayRead = useMay('events.read')
  const result = useStatistics(
    {
      range: '-30d',
      timeBasis: 'received',
      compare: 'none',
      filters: [{ field: 'app', op: 'is', values: [appid] }],
    },
    { versions: { kind: 'top', by: 'version', measures: ['events'], limit: 8 } },
    { enabled: mayRead, paused: true },
  )
  const part = result.part('versions')
  return part.kind === 'ready' ? part.answer.groups.map(({ key }) => key).filter(Boolean) : []
}
