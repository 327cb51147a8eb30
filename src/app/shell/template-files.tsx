import { Download, FileText, Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { errorText } from '#contracts/errors.ts'
import {
  sysFile,
  TEMPLATE_LIMITS,
  TEMPLATE_USES,
  type TemplateFile,
  type TemplateUse,
  templateFile,
  USE_PLACEHOLDERS,
} from '#contracts/http/platform-info.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { randomBytes } from '#src/shared/api/gm-browser.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { DownloadLink } from '#src/shared/ui/download-link.tsx'
import { FIELD_LABEL } from '#src/shared/ui/field.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { formBody } from '#src/shared/upload/form-body.ts'
import { sendBytes } from '#src/shared/upload/send-bytes.ts'
import { platformDialogTexts } from './platform-dialog-texts.ts'

const USES = Object.keys(TEMPLATE_USES) as TemplateUse[]
const braced = (names: readonly string[]) => names.map((name) => `{{${name}}}`).join(' ')

/** The template files of the platform and the use of each; uploads them one after another. */
export function TemplateFiles({
  files,
  isDisabled,
  onChange,
  onUploaded,
  onError,
}: {
  files: readonly TemplateFile[]
  isDisabled: boolean
  onChange: (files: TemplateFile[]) => void
  onUploaded: (file: TemplateFile) => void
  onError: (message: string) => void
}) {
  const t = useTexts(platformDialogTexts)
  const language = useLanguage()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)

  async function upload(chosen: readonly File[]): Promise<void> {
    onError('')
    const isTooMany = files.length + chosen.length > TEMPLATE_LIMITS.files
    const isTooLarge = chosen.some(({ size }) => size > TEMPLATE_LIMITS.bytes)
    if (isTooMany || isTooLarge) {
      onError(errorText(isTooMany ? 'info.too_many_files' : 'asset.too_large', language))
      return
    }
    setBusy(true)
    try {
      for (const file of chosen) onUploaded(await send(file))
    } catch (error) {
      onError(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }

  /** A use that another file has goes to the file that gives its own up: each use stays with one file. */
  function choose(file: TemplateFile, use: TemplateUse): void {
    onChange(
      files.map((one) => (one.id === file.id ? { ...one, use } : one.use === use ? { ...one, use: file.use } : one)),
    )
  }

  return (
    <section aria-label={t('files')}>
      <div className="flex items-end justify-between gap-3">
        <span className={FIELD_LABEL}>
          {t('files')} <span className="tabular-nums">{`${files.length}/${TEMPLATE_LIMITS.files}`}</span>
        </span>
        {!isDisabled && (
          <>
            <input
              ref={input}
              type="file"
              multiple
              accept=".md,.markdown,.txt,text/plain,text/markdown"
              aria-label={t('files')}
              className="sr-only"
              tabIndex={-1}
              onChange={({ target }) => {
                const chosen = [...(target.files ?? [])]
                target.value = '' // the same file may be chosen again
                if (chosen.length > 0) void upload(chosen)
              }}
            />
            <Button size="small" icon={Upload} isDisabled={isBusy} onPress={() => input.current?.click()}>
              {isBusy ? t('adding') : t('add')}
            </Button>
          </>
        )}
      </div>
      <ul className="mt-1.5 divide-y rounded border">
        {files.length === 0 && <li className="px-3 py-3 text-muted">{t('noFiles')}</li>}
        {files.map((file) => (
          <li key={file.id} className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1.5 pr-2 pl-3">
            <Icon of={FileText} size={14} className="flex-none text-muted" />
            <span className="text-clip-line min-w-0 flex-1" title={file.name}>
              {file.name} <span className="text-12 text-muted">{formatBytes(file.bytes)}</span>
            </span>
            <Select
              size="small"
              hideLabel
              className="w-44 flex-none max-sm:w-32"
              label={t('use', { name: file.name })}
              value={file.use}
              onChange={(use) => choose(file, use)}
              isDisabled={isDisabled}
              items={USES.map((id) => ({ id, label: TEMPLATE_USES[id][language] }))}
            />
            {!isDisabled && (
              <>
                <DownloadLink
                  icon={Download}
                  href={downloadHref(templateFile, { id: file.id })}
                  label={t('download', { name: file.name })}
                />
                <IconButton
                  size="small"
                  icon={Trash2}
                  label={t('remove', { name: file.name })}
                  onPress={() => onChange(files.filter((one) => one.id !== file.id))}
                />
              </>
            )}
          </li>
        ))}
      </ul>
      <p className="pt-1.5 text-12 text-muted">{t('filesNote', { size: `${TEMPLATE_LIMITS.bytes / 1024} KB` })}</p>
      <p className="text-12 text-muted">
        {t('placeholders', {
          names: braced(USE_PLACEHOLDERS.report_foreword),
          page: braced(USE_PLACEHOLDERS.about),
        })}
      </p>
    </section>
  )
}

async function send(file: File): Promise<TemplateFile> {
  const content = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
  const { contentType, bytes } = formBody({}, content, randomBytes(12))
  const headers = { 'content-type': contentType }
  const { body } = await sendBytes({ method: 'POST', target: sysFile.path, headers, body: bytes })
  return body['file_object'] as TemplateFile
}
