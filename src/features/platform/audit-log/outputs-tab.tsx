import { useState } from 'react'
import { deleteLogOutput, type LogOutput, logOutputs, testLogOutput } from '#contracts/http/audit-log.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { ManagedList } from '#src/shared/table/managed-list.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { outputColumns } from './output-columns.tsx'
import { OutputDialog } from './output-dialog.tsx'
import { outputTexts } from './output-texts.ts'

/** Where copies of the audit trail go, and how far each is. */
export function OutputsTab() {
  const t = useTexts(outputTexts)
  const zone = usePlatform((state) => state.zone)
  const mayEdit = useMay('platform.settings')
  const answer = useEndpoint(logOutputs, {}, { refetchInterval: 10_000 })
  const [editing, setEditing] = useState<LogOutput | 'new' | null>(null)
  const remove = useAction(deleteLogOutput, {
    refreshes: [logOutputs],
    onSuccess: () => deleted(),
  })
  const test = useAction(testLogOutput, {
    refreshes: [logOutputs],
    onSuccess: ({ data }) =>
      data.sent ? toast.success(t('tested')) : toast.error(t('testFailed'), { detail: data.error }),
  })
  const askRemoval = async ({ id, name, waiting }: LogOutput) => {
    const question = {
      title: t('removeTitle', { name }),
      text: t('removeText', { count: waiting }),
      action: t('remove'),
    }
    if (await confirmDeletion(question)) remove.mutate({ body: { id } })
  }
  const columns = outputColumns(
    t,
    zone,
    mayEdit && {
      isBusy: test.isPending || remove.isPending,
      test: ({ id }) => test.mutate({ body: { id } }),
      edit: setEditing,
      remove: (output) => void askRemoval(output),
    },
  )
  return (
    <>
      <ManagedList
        answer={answer}
        label={t('label')}
        columns={columns}
        create={mayEdit && { label: t('create'), onPress: () => setEditing('new') }}
        note={<p className="mr-auto max-w-[80ch] py-1 text-12 text-muted">{t('about')}</p>}
        none={{
          title: t('none'),
          hint: t(mayEdit ? 'noneHint' : 'noneRead'),
          action: mayEdit && <Button onPress={() => setEditing('new')}>{t('create')}</Button>,
        }}
        lines={4}
      />
      {editing && <OutputDialog output={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </>
  )
}
