import { useTexts } from '#src/shared/i18n/texts.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { settingsTexts } from './settings-texts.ts'

/** Whether a key or token still works. */
export function TokenState({ revokedAt, expiresAt }: { revokedAt: number | null; expiresAt?: number }) {
  const t = useTexts(settingsTexts)
  if (revokedAt !== null) return <Chip tone="neutral">{t('revoked')}</Chip>
  if (expiresAt !== undefined && expiresAt <= Date.now()) return <Chip tone="warn">{t('expired')}</Chip>
  return <Chip tone="good">{t('active')}</Chip>
}
