import type { ReactNode } from 'react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'

import { CopyText, copyToClipboard } from '#src/shared/ui/copy-text.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { settingsTexts } from './settings-texts.ts'

/** A secret that the server shows once: only its own button closes this, so that no stray click loses it. */
export function SecretReveal({
  title,
  secret,
  children,
  onClose,
  isSecret = true,
}: {
  title: string
  secret: string
  children?: ReactNode
  onClose: () => void
  /** False for public keys, which can be read again. */
  isSecret?: boolean
}) {
  const t = useTexts(settingsTexts)
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
      {isSecret && <p className="mb-3 rounded bg-warn-soft px-3 py-2 text-warn-text">{t('shownOnce')}</p>}
      <div className="flex items-center rounded border bg-code px-3 py-1.5 break-all">
        <CopyText value={secret} />
      </div>
      {children}
    </Dialog>
  )
}

/** A command to paste into a terminal. */
export function Snippet({ title, text }: { title: string; text: string }) {
  return (
    <div className="mt-4">
      <div className="mb-1.5 flex items-center justify-between">
        <h3>{title}</h3>
        <CopyButton text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto rounded border bg-code px-3 py-2 text-12/[18px]">
        {text}
      </pre>
    </div>
  )
}

function CopyButton({ text }: { text: string }) {
  const t = useTexts(settingsTexts)
  return (
    <Button size="small" onPress={() => void copyToClipboard(text)}>
      {t('copy')}
    </Button>
  )
}
