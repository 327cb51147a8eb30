import { CircleCheck, CircleDashed, ShieldCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import {
  auditLog,
  auditState,
  auditSummary,
  auditVerify,
  isIntact,
  logOutputs,
  type Verification,
} from '#contracts/http/audit-log.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { type Translate, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { CheckpointsDialog } from './checkpoints-dialog.tsx'
import { logTexts } from './log-texts.ts'
import type { LogState } from './log-types.ts'
import { outputsState } from './output-state.ts'

type T = Translate<keyof typeof logTexts.entries & string>

const TONES = {
  good: { box: 'bg-good-soft', mark: CircleCheck, color: 'text-good-text' },
  bad: { box: 'bg-bad-soft', mark: TriangleAlert, color: 'text-bad-text' },
  none: { box: 'bg-canvas', mark: CircleDashed, color: 'text-muted' },
} as const

/** Whether the audit trail is whole, as of the last verification, with its last checkpoint and the copies sent elsewhere. */
export function ChainState({ state }: { state: LogState }) {
  const t = useTexts(logTexts)
  const zone = usePlatform((platform) => platform.zone)
  const mayVerify = useMay('audit.verify')
  const outputs = useEndpoint(logOutputs, {}, { refetchInterval: 30_000 }).data?.data
  const [isOpen, setOpen] = useState(false)
  const verify = useAction(auditVerify, {
    refreshes: [auditState, auditLog, auditSummary],
    onSuccess: ({ data }) =>
      isIntact(data)
        ? toast.success(t('verifiedIntact', { count: data.entries }))
        : toast.error(problemText(data, t), { ms: Number.POSITIVE_INFINITY }),
  })
  const { verification, checkpoint } = state
  const tone = TONES[verification === null ? 'none' : isIntact(verification) ? 'good' : 'bad']
  const time = (at: number) => formatDateTime(at, zone, 'minute', Date.now())
  const facts = [
    verification && t('verifiedAt', { by: verification.by, time: time(verification.at), count: verification.entries }),
    checkpoint ? t('lastCheckpoint', { time: time(checkpoint.at), id: checkpoint.id }) : t('noCheckpoint'),
    outputs && outputsText(outputs, t),
  ]
  return (
    <div className={`flex flex-wrap items-center gap-x-3 gap-y-1 border-y px-5 py-1.5 max-lg:px-4 ${tone.box}`}>
      <p className={`flex items-center gap-2 font-semibold ${tone.color}`} role="status">
        <Icon of={tone.mark} />
        {verification === null ? t('notVerified') : isIntact(verification) ? t('intact') : problemText(verification, t)}
      </p>
      <p className="min-w-60 flex-1 text-12 text-muted">{facts.filter(Boolean).join(t('separator'))}</p>
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <Button size="small" variant="quiet" onPress={() => setOpen(true)}>
          {t('checkpoints')}
        </Button>
        <Button
          size="small"
          icon={ShieldCheck}
          isDisabled={!mayVerify || verify.isPending}
          {...(!mayVerify && { title: t('verifyNeeds') })}
          onPress={() => verify.mutate({ body: {} })}
        >
          {t(verify.isPending ? 'verifying' : 'verify')}
        </Button>
      </span>
      {isOpen && <CheckpointsDialog onClose={() => setOpen(false)} />}
    </div>
  )
}

/** In place of the state while it is read, and when it could not be. */
export function ChainUnknown({ isLoading }: { isLoading: boolean }) {
  const t = useTexts(logTexts)
  return (
    <p className="flex min-h-10 items-center border-y bg-canvas px-5 text-warn-text max-lg:px-4" role="status">
      {!isLoading && t('chainUnknown')}
    </p>
  )
}

function problemText({ broken_at, bad_checkpoint, missing }: Verification, t: T): string {
  const problems = [
    broken_at !== null && t('broken', { id: broken_at }),
    bad_checkpoint !== null && t('badCheckpoint', { id: bad_checkpoint }),
    missing && t('missing', missing),
  ]
  return problems.filter(Boolean).join(t('separator'))
}

function outputsText(outputs: ResponseOf<typeof logOutputs>['data'], t: T): string {
  const { failed, waiting, sent } = outputsState(outputs)
  if (failed > 0) return t('outputsFailed', { count: failed })
  if (waiting > 0) return t('outputsWaiting', { count: waiting })
  return sent > 0 ? t('outputsSent', { count: sent }) : t('noOutputs')
}
