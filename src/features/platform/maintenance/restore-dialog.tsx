import { useState } from 'react'
import type { Backup } from '#contracts/http/maintenance/backups.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { maintenanceTexts } from './maintenance-texts.ts'

/** How a backup is put in place: the commands, and why they run beside the platform. */
export function RestoreDialog({
  list,
  command,
  onClose,
}: {
  list: readonly Backup[]
  command: string
  onClose: () => void
}) {
  const t = useTexts(maintenanceTexts)
  const zone = usePlatform((platform) => platform.zone)
  const [name, setName] = useState(list[0]?.name ?? '')
  const chosen = list.find((one) => one.name === name)
  const line = `${command} restore '${chosen?.path.replaceAll("'", "'\\''") ?? ''}'`
  return (
    <Dialog
      title={t('restore')}
      isOpen
      onOpenChange={onClose}
      width={640}
      footer={<Button onPress={onClose}>{t('close')}</Button>}
    >
      {chosen ? (
        <div className="space-y-4">
          <Select
            label={t('which')}
            value={name}
            onChange={setName}
            items={list.map((one) => ({ id: one.name, label: formatDateTime(one.created_at, zone) }))}
            className="w-72"
          />
          <p>{t('restoreWhy')}</p>
          <ol className="list-decimal space-y-2 pl-6">
            <li>{t('restoreStop')}</li>
            <li>
              <CopyText value={line} />
            </li>
            <li>{t('restoreStart')}</li>
          </ol>
          <p className="text-12 text-muted">{t('restoreThen')}</p>
        </div>
      ) : (
        <EmptyState kind="none" title={t('restoreNone')} />
      )}
    </Dialog>
  )
}
