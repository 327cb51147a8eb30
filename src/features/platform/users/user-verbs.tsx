import { Ban, CircleCheck, Trash2 } from 'lucide-react'
import { deleteUsers, disableUsers, type User, userSessions, users } from '#contracts/http/users.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { usersTexts } from './users-texts.ts'

/** Disable or enable, and delete, for one account or many. */
export function UserVerbs({
  chosen,
  onDone,
  spread = false,
}: {
  chosen: readonly User[]
  onDone: () => void
  /** Delete is apart at the right. */
  spread?: boolean
}) {
  const t = useTexts(usersTexts)
  const ids = chosen.map(({ id }) => id)
  const disabled = chosen.every(({ state }) => state === 'disabled')
  const disable = useAction(disableUsers, {
    refreshes: [users, userSessions],
    onSuccess: () => {
      toast.success(t('saved'))
      onDone()
    },
  })
  const remove = useAction(deleteUsers, {
    refreshes: [users],
    onSuccess: () => {
      deleted()
      onDone()
    },
  })
  const askDisable = async () => {
    const question = {
      title: t('disableTitle', { count: ids.length }),
      text: t('disableText'),
      action: t('disable'),
      danger: true,
    }
    if (disabled || (await confirm(question))) disable.mutate({ body: { ids, disabled: !disabled } })
  }
  const askDelete = async () => {
    const applications = chosen.reduce((sum, one) => sum + one.applications, 0)
    const question = {
      title: t('deleteTitle', { count: ids.length }),
      text: t('deleteText', { applications }),
      action: t('delete'),
    }
    if (await confirmDeletion(question)) remove.mutate({ body: { ids } })
  }
  return (
    <>
      <Button icon={disabled ? CircleCheck : Ban} isDisabled={disable.isPending} onPress={() => void askDisable()}>
        {t(disabled ? 'enable' : 'disable')}
      </Button>
      <Button
        variant="danger"
        icon={Trash2}
        className={spread ? 'ml-auto' : ''}
        isDisabled={remove.isPending}
        onPress={() => void askDelete()}
      >
        {t('delete')}…
      </Button>
    </>
  )
}
