import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import {
  exceptionGroup,
  exceptionGroups,
  setExceptionTriage,
  type TriageChange,
  type TriageState,
} from '#contracts/http/exceptions.ts'
import { call } from '#src/shared/api/call.ts'
import { endpointKey } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { exceptionTexts } from './exception-texts.ts'

/** The fields of a group that a change of its triage state needs. */
export type Changeable = { appid: string; group: string; triage: TriageState; newest: string }
/** What is to be different; what is not named stays. */
type Change = Partial<Pick<TriageChange, 'state' | 'resolved_version' | 'ignored_until' | 'assignee'>>

const UNDO_MS = 12_000

/** Changes the triage state of groups and offers to undo it. */
export function useTriage(): (groups: readonly Changeable[], change: (group: Changeable) => Change) => Promise<void> {
  const t = useTexts(exceptionTexts)
  const client = useQueryClient()
  return useCallback(
    async (groups, change) => {
      const refresh = () =>
        Promise.all(
          [exceptionGroups, exceptionGroup].map((one) => client.invalidateQueries({ queryKey: endpointKey(one) })),
        )
      const changes = groups.map(
        ({ appid, group, triage, newest }): TriageChange => ({
          appid,
          group,
          state: triage.state,
          resolved_version: triage.state === 'resolved' ? triage.resolved_version : null,
          ignored_until: triage.state === 'ignored' ? triage.ignored_until : null,
          assignee: triage.assignee,
          ...change({ appid, group, triage, newest }),
        }),
      )
      const { before } = await call(setExceptionTriage, { body: { changes } })
      await refresh()
      const undo = async () => {
        await call(setExceptionTriage, { body: { changes: before } })
        await refresh()
        toast.info(t('undone'))
      }
      toast.success(t('changed', { count: changes.length }), {
        ms: UNDO_MS,
        action: { label: t('undo'), onPress: () => void undo() },
      })
    },
    [client, t],
  )
}
