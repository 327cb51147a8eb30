import {
  changeDeployment,
  type Deployment,
  policyDetail,
  policyList,
  policyReach,
  ROLL_OUT_STAGES,
  rollBack,
} from '#contracts/http/policies.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { stopOf } from '#src/shared/protection/stop-of.ts'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { deploymentTexts } from './deployment-texts.ts'

type Change = 'grow' | 'pause' | 'resume' | 'end'

/** The next usual share, or undefined where everybody is reached. */
export function nextStage(percent: number): number | undefined {
  return ROLL_OUT_STAGES.find((stage) => stage > percent)
}

/** What can be done to the live deployment; each asks first and says what it changes on phones. */
export function useDeploymentActions(live: Deployment | undefined) {
  const t = useTexts(deploymentTexts)
  const refreshes = [policyDetail, policyList, policyReach]
  const change = useAction(changeDeployment, { refreshes })
  const back = useAction(rollBack, { refreshes })
  const next = live ? nextStage(live.percent) : undefined

  async function ask(one: Deployment, what: Change, title: string, text: string, percent?: number): Promise<void> {
    if (!(await confirm({ title, text, action: title, danger: what === 'end' }))) return
    change.mutate({ body: { id: one.id, change: what, ...(percent !== undefined && { percent }) } })
  }
  const of = (one: Deployment) => ({ version: one.version })
  return {
    next,
    grow: () =>
      live &&
      next &&
      void ask(live, 'grow', t('grow', { percent: next }), t('growAsk', { ...of(live), percent: next }), next),
    pause: () => live && void ask(live, 'pause', t('pause'), t('pauseAsk', of(live))),
    resume: () => {
      if (!live) return
      if (stopOf(live)) void ask(live, 'resume', t('resume'), t('resumeAsk', { ...of(live), percent: live.percent }))
      else change.mutate({ body: { id: live.id, change: 'resume' } })
    },
    end: (one: Deployment) => void ask(one, 'end', t('end'), t('endAsk', of(one))),
    rollBack: async () => {
      const version = live?.before
      if (!live || version === null || version === undefined) return
      const title = t('rollBack', { version })
      if (!(await confirm({ title, text: t('rollBackAsk', { from: live.version, version }), action: title }))) return
      back.mutate({ body: { id: live.id, version } }, { onSuccess: () => toast.success(t('rolledBack', { version })) })
    },
  }
}
