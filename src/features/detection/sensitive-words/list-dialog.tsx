import { useState } from 'react'
import { saveWordGroup, type WordList, wordGroups } from '#contracts/http/sensitive-words.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useBasis } from '#src/shared/api/use-basis.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { OutdatedBar } from '#src/shared/ui/outdated-bar.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { wordsTexts } from './words-texts.ts'

/** A new list, or name and note of one; the names of built-in lists stay. */
export function ListDialog({
  list,
  onClose,
  onSaved,
}: {
  list?: WordList
  onClose: () => void
  onSaved?: (id: string) => void
}) {
  const t = useTexts(wordsTexts)
  const language = useLanguage()
  const [name, setName] = useState(list?.name[language] ?? '')
  const [note, setNote] = useState(list?.note ?? '')
  const [tried, setTried] = useState(false)
  const save = useAction(saveWordGroup, { refreshes: [wordGroups] })
  const lists = useEndpoint(wordGroups).data?.data
  const basis = useBasis(lists?.find(({ id }) => id === list?.id) ?? list, (one) => one?.rev)
  const isOutdated = basis.isOutdated && !save.isPending
  function submit(): void {
    setTried(true)
    if (!name.trim() || isOutdated) return
    const { row } = basis
    const body = { name, note, ...(row && { id: row.id, enabled: row.enabled, rev: row.rev }) }
    save.mutate(
      { body },
      {
        onSuccess: ({ data }) => {
          onClose()
          onSaved?.(data.id)
        },
      },
    )
  }
  return (
    <FormDialog
      title={list ? t('editList') : t('newList')}
      submitLabel={t('save')}
      isDisabled={save.isPending || isOutdated}
      onSubmit={submit}
      onClose={onClose}
    >
      {isOutdated && <OutdatedBar onKeep={basis.keepMine} onDiscard={onClose} />}
      <TextField
        label={t('name')}
        value={name}
        onChange={setName}
        maxLength={40}
        error={tried && !name.trim() ? t('nameEmpty') : undefined}
        note={list?.built_in ? t('builtInNote') : undefined}
        isReadOnly={list?.built_in ?? false}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <TextField label={t('remark')} value={note} onChange={setNote} maxLength={200} rows={2} />
    </FormDialog>
  )
}
