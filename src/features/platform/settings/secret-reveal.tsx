import type { ReactNode } from 'react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { SecretDialog } from '#src/shared/ui/secret-dialog.tsx'
import { settingsTexts } from './settings-texts.ts'

/** A key or token that was made here. */
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
    <SecretDialog title={title} value={secret} note={isSecret && t('shownOnce')} onClose={onClose}>
      {children}
    </SecretDialog>
  )
}
