import type { ReactNode } from 'react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { usersTexts } from './users-texts.ts'

/** What opens an account, shown once: a generated password or an invitation link. Only its button closes it. */
export function SecretDialog({
  title,
  note,
  value,
  onClose,
}: {
  title: string
  note: ReactNode
  value: string
  onClose: () => void
}) {
  const t = useTexts(usersTexts)
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={onClose}
      isDismissable={false}
      footer={
        <Button variant="primary" onPress={onClose}>
          {t('done')}
        </Button>
      }
    >
      <p className="mb-3 rounded bg-warn-soft px-3 py-2 text-warn-text">{note}</p>
      <div className="flex items-center rounded border bg-code px-3 py-1.5 font-mono" data-testid="new-secret">
        <CopyText value={value} />
      </div>
    </Dialog>
  )
}
