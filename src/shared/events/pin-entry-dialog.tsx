import { useState } from 'react'
import { addEntry, caseById, cases, type NewEntry, saveCase } from '#contracts/http/investigation.ts'
import { PAGES } from '#contracts/pages.ts'
import { useAction } from '../api/use-action.ts'
import { useEndpoint } from '../api/use-endpoint.ts'
import { defineTexts, useTexts } from '../i18n/texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'

const texts = defineTexts('pin-event', {
  title: { zh: '置顶到案件', en: 'Pin to a case' },
  into: { zh: '案件', en: 'Case' },
  fresh: { zh: '新建案件', en: 'New case' },
  name: { zh: '案件名称', en: 'Title of the case' },
  note: { zh: '备注（可不填）', en: 'Note (optional)' },
  cancel: { zh: '取消', en: 'Cancel' },
  pin: { zh: '置顶', en: 'Pin' },
  done: { zh: '已置顶到“{{title}}”', en: 'Pinned to “{{title}}”' },
  open: { zh: '打开案件', en: 'Open the case' },
  entries: { zh: '{{count}} 项', en: '{{count}} entries', one: '{{count}} entry' },
})
const FRESH = 'fresh'

/** Puts an entry into an open case, or into a new one that is called `name`. */
export function PinEntryDialog({
  name,
  entry,
  onClose,
}: {
  name: string
  entry: (note: string) => NewEntry
  onClose: () => void
}) {
  const t = useTexts(texts)
  const { data } = useEndpoint(cases, { query: { state: 'open' } })
  const list = data?.data ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const [title, setTitle] = useState(name)
  const [note, setNote] = useState('')
  const save = useAction(saveCase, { refreshes: [cases] })
  const add = useAction(addEntry, { refreshes: [cases, caseById] })
  const into = chosen ?? list[0]?.id ?? FRESH
  const busy = save.isPending || add.isPending
  const submit = async () => {
    const target =
      list.find(({ id }) => id === into) ?? (await save.mutateAsync({ body: { title: title.trim() } })).data
    await add.mutateAsync({ body: { case_id: target.id, entry: entry(note.trim()) } })
    toast.success(t('done', { title: target.title }), {
      action: { label: t('open'), onPress: () => location.assign(`${PAGES.investigation.path}?case=${target.id}`) },
    })
    onClose()
  }
  return (
    <Dialog
      title={t('title')}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button
            variant="primary"
            isDisabled={busy || (into === FRESH && title.trim() === '')}
            // A refusal was shown as a message: the dialog stays, so that nothing typed is lost.
            onPress={() => void submit().catch(() => undefined)}
          >
            {t('pin')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Select
          label={t('into')}
          value={into}
          onChange={setChosen}
          items={[
            ...list.slice(0, 50).map((one) => ({
              id: one.id,
              label: one.title,
              note: t('entries', { count: one.entries }),
            })),
            { id: FRESH, label: t('fresh') },
          ]}
        />
        {into === FRESH && (
          <TextField label={t('name')} value={title} onChange={setTitle} maxLength={100} autoComplete="off" />
        )}
        <TextField label={t('note')} value={note} onChange={setNote} maxLength={2000} rows={3} />
      </div>
    </Dialog>
  )
}
