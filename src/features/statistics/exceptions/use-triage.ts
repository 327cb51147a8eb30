import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import {
  exceptionGroup,
  exceptionGroups,
  type Standing,
  type StandingChange,
  setExceptionStanding,
} from '#contracts/http/exceptions.ts'
import { call } from '#src/shared/api/call.ts'
import { endpointKey } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { exceptionTexts } from './exception-texts.ts'

/** A group as far as a change of its standing needs it. */
export type Changeable = { appid: string; group: string; standing: Standing; newest: string }
/** What is to be different; what is not named stays. */
type Change = Partial<Pick<StandingChange, 'state' | 'resolved_version' | 'ignored_until' | 'assignee'>>

const UNDO_MS = 12_000

/** Changes the standing of groups at once and offers to take it back. */
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
        ({ appid, group, standing, newest }): StandingChange => ({
          appid,
          group,
          state: standing.state,
          resolved_version: standing.state === 'resolved' ? standing.resolved_version : null,
          ignored_until: standing.state === 'ignored' ? standing.ignored_until : null,
          assignee: standing.assignee,
          ...change({ appid, group, standing, newest }),
        }),
      )
      const { before } = await call(setExceptionStanding, { body: { changes } })
      await refresh()
      const undo = async () => {
        await call(setExceptionStanding, { body: { changes: before } })
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
