import { useState } from 'react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { caseTexts } from './trace-texts.ts'

/** Asks for the title of a case. */
export function TitleDialog({
  title,
  start,
  onClose,
  onSave,
}: {
  title: string
  start: string
  onClose: () => void
  onSave: (title: string) => Promise<void>
}) {
  const t = useTexts(caseTexts)
  const [text, setText] = useState(start)
  const submit = async () => {
    if (text.trim() === '') return
    await onSave(text.trim())
    onClose()
  }
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="primary" isDisabled={text.trim() === ''} onPress={() => void submit()}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField label={t('title')} value={text} onChange={setText} maxLength={100} autoFocus autoComplete="off" />
      </form>
    </Dialog>
  )
}
