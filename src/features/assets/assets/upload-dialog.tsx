import { CloudUpload } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { FILES_AT_ONCE } from '#contracts/http/assets.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { uploadTexts } from './asset-texts.ts'
import { addUploads, isUnfinished, setUploads, useUploads } from './upload-queue.ts'
import { UploadRow } from './upload-row.tsx'

const ACCEPT = '.apk,.aab,.apks,.xapk,.aar,.jar,.so,.ipa'

/** Adds files and says how many were too many. */
export function addFiles(files: readonly File[], tooMany: (count: number) => string): void {
  const left = addUploads(files)
  if (left > 0) toast.warn(tooMany(left))
}

/** The upload dialog: drop or choose up to ten files, follow them, or let them go on in the background. */
export function UploadDialog() {
  const t = useTexts(uploadTexts)
  const { items, isOpen, makeApplications } = useUploads()
  const mayCreate = useMay('application.create')
  const unfinished = items.filter(isUnfinished).length
  const close = () => setUploads({ isOpen: false })
  return (
    <Dialog
      title={t('title')}
      isOpen={isOpen}
      onOpenChange={close}
      width={640}
      footer={
        <>
          {unfinished > 0 && <span className="mr-auto text-12 text-muted">{t('leave')}</span>}
          <Button onPress={close} isDisabled={unfinished === 0}>
            {t('background')}
          </Button>
          <Button
            variant="primary"
            isDisabled={unfinished > 0}
            {...(unfinished > 0 && { title: t('unfinished', { count: unfinished }) })}
            onPress={close}
          >
            {t('finish')}
          </Button>
        </>
      }
    >
      <DropZone left={Math.max(0, FILES_AT_ONCE - (unfinished > 0 ? items.length : 0))} />
      {mayCreate && (
        <div className="flex items-center gap-3 pt-3 text-12 text-muted">
          <Switch isSelected={makeApplications} onChange={(on) => setUploads({ makeApplications: on })}>
            {t('makeApps')}
          </Switch>
          <span className="max-sm:hidden">{t('makeAppsNote')}</span>
        </div>
      )}
      <ul aria-label={t('title')} className="mt-2">
        {items.map((item) => (
          <UploadRow key={item.id} item={item} />
        ))}
      </ul>
    </Dialog>
  )
}

function DropZone({ left }: { left: number }) {
  const t = useTexts(uploadTexts)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const [over, setOver] = useState(false)
  const add = (files: FileList | null) => addFiles([...(files ?? [])], (count) => t('tooMany', { count }))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard's way is the file input inside
    <div
      className={`flex items-center justify-center gap-4 rounded border border-dashed px-4 py-5 ${over ? 'border-brand bg-selected' : 'border-line-strong bg-canvas'}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        setOver(false)
        add(event.dataTransfer.files)
      }}
    >
      <Icon of={CloudUpload} size={20} className="text-brand-text" />
      <div>
        <div>
          {t('drop')}
          <label htmlFor={id} className="cursor-pointer font-semibold text-brand-text focus-within:underline">
            {t('choose')}
            <input
              ref={input}
              id={id}
              type="file"
              multiple
              accept={ACCEPT}
              className="sr-only"
              onChange={({ target }) => {
                add(target.files)
                target.value = '' // the same file may be chosen again
              }}
            />
          </label>
        </div>
        <div className="text-12 text-muted">{t('kinds', { left })}</div>
      </div>
    </div>
  )
}
