import type { ReactNode } from 'react'
import { defineTexts, useTexts } from '../i18n/texts.ts'
import { Button } from './button.tsx'
import { CopyText } from './copy-text.tsx'
import { Dialog } from './dialog.tsx'

const texts = defineTexts('ui-secret', { done: { zh: '完成', en: 'Done' } })

/** What the server shows once: a password, a link, a key. Only its own button closes this, so that no stray click loses it. */
export function SecretDialog({
  title,
  note,
  value,
  children,
  onClose,
}: {
  title: string
  /** That it is shown once; absent for what can be read again. */
  note?: ReactNode
  value: string
  children?: ReactNode
  onClose: () => void
}) {
  const t = useTexts(texts)
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={onClose}
      isDismissable={false}
      width={640}
      footer={
        <Button variant="primary" onPress={onClose}>
          {t('done')}
        </Button>
      }
    >
      {note && <p className="mb-3 rounded bg-warn-soft px-3 py-2 text-warn-text">{note}</p>}
      <div className="flex items-center rounded border bg-code px-3 py-1.5 break-all" data-testid="new-secret">
        <CopyText value={value} />
      </div>
      {children}
    </Dialog>
  )
}
