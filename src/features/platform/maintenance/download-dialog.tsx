import { Download } from 'lucide-react'
import { useState } from 'react'
import { downloadProcessLog, downloadProcessLogs, type LogFileAnswer } from '#contracts/http/maintenance/logs.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { DownloadLink } from '#src/shared/ui/download-link.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { maintenanceTexts } from './maintenance-texts.ts'

const LINE =
  'grid min-h-9 grid-cols-[20px_minmax(0,1fr)_72px_136px_24px] items-center gap-x-3 border-b max-sm:grid-cols-[20px_minmax(0,1fr)_72px_24px]'

/** Log files with size and age: one as text, or several as a ZIP archive. */
export function DownloadDialog({ files, onClose }: { files: readonly LogFileAnswer[]; onClose: () => void }) {
  const t = useTexts(maintenanceTexts)
  const zone = usePlatform((platform) => platform.zone)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(files.map(({ name }) => name)))
  const picked = files.filter(({ name }) => chosen.has(name))
  const isAll = picked.length === files.length
  const toggle = (name: string, on: boolean) =>
    setChosen((before) => new Set(on ? [...before, name] : [...before].filter((one) => one !== name)))
  const download = () => {
    const names = picked.map(({ name }) => name).join(',')
    location.assign(downloadHref(downloadProcessLogs, isAll ? {} : { names }))
    onClose()
  }
  return (
    <Dialog
      title={t('download')}
      isOpen
      onOpenChange={onClose}
      width={680}
      footer={
        <>
          <span className="mr-auto text-12 text-muted tabular-nums">
            {formatBytes(picked.reduce((sum, { bytes }) => sum + bytes, 0))}
          </span>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="primary" icon={Download} isDisabled={picked.length === 0} onPress={download}>
            {t('zip', { count: picked.length })}
          </Button>
        </>
      }
    >
      <p className="mb-2 text-12 text-muted">{t('noSecrets')}</p>
      {files.length === 0 ? (
        <EmptyState kind="none" title={t('noLogs')} />
      ) : (
        <>
          <div className={`${LINE} text-12 text-muted`}>
            <Checkbox
              label={t('all')}
              isSelected={isAll}
              isIndeterminate={!isAll && picked.length > 0}
              onChange={(on) => setChosen(new Set(on ? files.map(({ name }) => name) : []))}
            />
            <span>{t('file')}</span>
            <span className="text-right">{t('size')}</span>
            <span className="max-sm:hidden">{t('changed')}</span>
            <span />
          </div>
          <ul>
            {files.map(({ name, bytes, changed_at: at, first_at: first, current }) => (
              <li key={name} className={LINE}>
                <Checkbox
                  label={t('choose', { name })}
                  isSelected={chosen.has(name)}
                  onChange={(on) => toggle(name, on)}
                />
                <span className="min-w-0">
                  <span className="text-clip-line block font-mono text-12">
                    {name} {current && <span className="font-sans text-muted">{t('current')}</span>}
                  </span>
                  {first !== null && (
                    <span className="block text-12 text-muted sm:hidden">{formatDateTime(at, zone)}</span>
                  )}
                </span>
                <span className="text-right text-12 tabular-nums">{formatBytes(bytes)}</span>
                <time className="text-12 tabular-nums max-sm:hidden" dateTime={new Date(at).toISOString()}>
                  {formatDateTime(at, zone)}
                </time>
                <DownloadLink
                  icon={Download}
                  href={downloadHref(downloadProcessLog, { name })}
                  label={t('one', { name })}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
