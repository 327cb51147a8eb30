import { useCallback, useMemo } from 'react'
import {
  type DetectionTask,
  deleteTasks,
  detectionTask,
  detectionTasks,
  KIND_PERMISSIONS,
  retryTask,
  stopTasks,
} from '#contracts/http/detection/tasks.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useAuthList, useMay } from '#src/shared/session/session-store.ts'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { taskTexts } from './task-texts.ts'

const REFRESHES = [detectionTasks, detectionTask]

export type TaskActions = {
  mayRun: (task: DetectionTask) => boolean
  mayDelete: boolean
  stop: (tasks: readonly DetectionTask[]) => Promise<void>
  retry: (task: DetectionTask) => Promise<void>
  /** Resolves to whether they are gone. */
  remove: (tasks: readonly DetectionTask[]) => Promise<boolean>
}

/** Stop, retry and delete with their questions and messages (APP-05, DET-05). Refusals are shown. */
export function useTaskActions(): TaskActions {
  const t = useTexts(taskTexts)
  const auth = useAuthList()
  const mayDelete = useMay('detect.delete')
  const { mutateAsync: sendStop } = useAction(stopTasks, { refreshes: REFRESHES })
  const { mutateAsync: sendRetry } = useAction(retryTask, { refreshes: REFRESHES })
  const { mutateAsync: sendDelete } = useAction(deleteTasks, { refreshes: [detectionTasks] })
  const stop = useCallback(
    async (tasks: readonly DetectionTask[]) => {
      const count = tasks.length
      if (!(await confirm({ title: t('stopTitle'), text: t('stopText', { count }), action: t('stop') }))) return
      await sendStop({ body: { ids: tasks.map((one) => one.id) } }).then(
        () => toast.success(t('stopped', { count })),
        () => undefined,
      )
    },
    [t, sendStop],
  )
  const retry = useCallback(
    (task: DetectionTask) =>
      sendRetry({ body: { id: task.id } }).then(
        () => void toast.success(t('retried')),
        () => undefined,
      ),
    [t, sendRetry],
  )
  const remove = useCallback(
    async (tasks: readonly DetectionTask[]) => {
      const count = tasks.length
      const question = { title: t('removeTitle', { count }), text: t('removeText'), action: t('remove') }
      if (!(await confirmDeletion(question))) return false
      return sendDelete({ body: { ids: tasks.map((one) => one.id) } }).then(
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
    () => ({
      mayRun: (task) => task.kinds.some((kind) => auth?.includes(KIND_PERMISSIONS[kind]) ?? false),
      mayDelete,
      stop,
      retry,
      remove,
    }),
    [auth, mayDelete, stop, retry, remove],
  )
}
