import { useCallback, useMemo } from 'react'
import {
  cancelReinforceTasks,
  deleteReinforceTasks,
  type ReinforceTask,
  redoReinforceTask,
  reinforceTask,
  reinforceTasks,
} from '#contracts/http/reinforce-tasks.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { taskTexts } from './task-texts.ts'

const REFRESHES = [reinforceTasks, reinforceTask]
const idsOf = (tasks: readonly ReinforceTask[]) => tasks.map(({ id }) => id)

export type TaskActions = {
  mayCancel: boolean
  mayRedo: boolean
  mayDelete: boolean
  mayDownload: boolean
  cancel: (tasks: readonly ReinforceTask[]) => Promise<void>
  /** The id of the new task, or null where it was refused. */
  redo: (task: ReinforceTask) => Promise<string | null>
  /** Resolves to whether they are gone. */
  remove: (tasks: readonly ReinforceTask[]) => Promise<boolean>
}

/** Cancel, re-reinforce and delete with their questions and messages (HARD-05). Refusals are shown. */
export function useTaskActions(): TaskActions {
  const t = useTexts(taskTexts)
  const mayCancel = useMay('asset.harden')
  const mayRedo = useMay('harden.redo')
  const mayDelete = useMay('harden.delete')
  const mayDownload = useMay('harden.download')
  const { mutateAsync: sendCancel } = useAction(cancelReinforceTasks, { refreshes: REFRESHES })
  const { mutateAsync: sendRedo } = useAction(redoReinforceTask, { refreshes: REFRESHES })
  const { mutateAsync: sendDelete } = useAction(deleteReinforceTasks, { refreshes: [reinforceTasks] })
  const cancel = useCallback(
    async (tasks: readonly ReinforceTask[]) => {
      const question = {
        title: t('cancelTitle', { count: tasks.length }),
        text: t('cancelText'),
        action: t('cancel'),
      }
      if (!(await confirm(question))) return
      await sendCancel({ body: { ids: idsOf(tasks) } }).then(
        ({ stopped }) => toast.info(t('cancelled', { count: stopped })),
        () => undefined,
      )
    },
    [t, sendCancel],
  )
  const redo = useCallback(
    (task: ReinforceTask) =>
      sendRedo({ body: { id: task.id } }).then(
        ({ data }) => {
          toast.success(t('redone'))
          return data.id
        },
        () => null,
      ),
    [t, sendRedo],
  )
  const remove = useCallback(
    async (tasks: readonly ReinforceTask[]) => {
      const question = {
        title: t('removeTitle', { count: tasks.length }),
        text: t('removeText'),
        action: t('remove'),
      }
      if (!(await confirmDeletion(question))) return false
      return sendDelete({ body: { ids: idsOf(tasks) } }).then(
        () => {
          deleted()
          return true
        },
        () => false,
      )
    },
    [t, sendDelete],
  )
  return useMemo(
    () => ({ mayCancel, mayRedo, mayDelete, mayDownload, cancel, redo, remove }),
    [mayCancel, mayRedo, mayDelete, mayDownload, cancel, redo, remove],
  )
}
