import { CloudUpload, FileCheck } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { formatBytes } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { toolsTexts } from './tools-texts.ts'

/** A place for one file: dropped, or chosen. */
export function FileChoice({
  label,
  hint,
  file,
  onFile,
  isDisabled = false,
}: {
  label: string
  hint?: string
  file?: File | undefined
  onFile: (file: File) => void
  isDisabled?: boolean
}) {
  const t = useTexts(toolsTexts)
  const id = useId()
  const [over, setOver] = useState(false)
  const take = (files: FileList | null) => {
    const one = files?.[0]
    if (one && !isDisabled) onFile(one)
  }
  const handlers = {
    onDragOver(event: DragEvent) {
      event.preventDefault()
      setOver(!isDisabled)
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault()
      setOver(false)
      take(event.dataTransfer.files)
    },
  }
  return (
    <div
      className={`flex min-w-0 flex-1 items-center gap-3 rounded border border-dashed px-4 py-4 ${over ? 'border-brand bg-selected' : 'border-line-strong bg-canvas'}`}
      {...handlers}
    >
      <Icon of={file ? FileCheck : CloudUpload} size={20} className="flex-none text-brand-text" />
      <div className="min-w-0">
        <div className="[overflow-wrap:anywhere]">
          <span className="pr-2 font-semibold">{label}</span>
          {file && (
            <span className="pr-2">
              {file.name} <span className="text-12 text-muted">{formatBytes(file.size)}</span>
            </span>
          )}
          <label
            htmlFor={id}
            className={`whitespace-nowrap focus-within:underline ${isDisabled ? 'text-muted' : 'cursor-pointer text-brand-text'}`}
          >
            {t(file ? 'chooseOther' : 'choose')}
            <input
              id={id}
              type="file"
              aria-label={`${label}: ${t('choose')}`}
              disabled={isDisabled}
              className="sr-only"
              onChange={({ target }) => {
                take(target.files)
                target.value = '' // the same file may be chosen again
              }}
            />
          </label>
        </div>
        {hint && <div className="text-12 text-muted">{hint}</div>}
      </div>
    </div>
  )
}
