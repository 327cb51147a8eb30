import { FileKey } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { errorText } from '#contracts/errors.ts'
import {
  createSignature,
  KEY_FILE_BYTES,
  type KeyUpload,
  SIGNATURE_FORMATS,
  signatureList,
} from '#contracts/http/reinforce-signatures.ts'
import { ApiError } from '#src/shared/api/api-error.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { FIELD_ERROR, FIELD_LABEL } from '#src/shared/ui/field.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { ApplicationSelect } from './application-select.tsx'
import { sendKey } from './send-key.ts'
import { signatureTexts } from './signature-texts.ts'

type Field = 'file' | 'name' | 'alias' | 'store_password' | 'key_password'
type Errors = Partial<Record<Field, string>>

/** Uploads a key file, then checks alias and passwords against it; each refusal is shown at its field. */
export function UploadDialog({ onClose, onCreated }: { onClose: () => void; onCreated: (id: string) => void }) {
  const t = useTexts(signatureTexts)
  const language = useLanguage()
  const current = useCurrentApplication()
  const input = useRef<HTMLInputElement>(null)
  const [upload, setUpload] = useState<KeyUpload>()
  const [isReading, setReading] = useState(false)
  const [values, setValues] = useState({ name: '', alias: '', store_password: '', key_password: '' })
  const [appid, setAppid] = useState(current?.id ?? null)
  const [errors, setErrors] = useState<Errors>({})
  const create = useAction(createSignature, { quiet: true, refreshes: [signatureList] })
  const isPem = upload?.format === 'pem'
  const set = (field: keyof typeof values) => (value: string) => {
    setValues((before) => ({ ...before, [field]: value }))
    setErrors(({ [field]: _, ...rest }) => rest)
  }

  async function take(file: File | undefined): Promise<void> {
    if (!file || isReading) return
    if (file.size > KEY_FILE_BYTES) return setErrors({ file: errorText('asset.too_large', language) })
    setReading(true)
    setErrors({})
    try {
      const found = await sendKey(file)
      setUpload(found)
      setValues((before) => ({
        ...before,
        name: before.name || file.name.replace(/[.][^.]+$/, '').slice(0, 64),
        alias: found.aliases?.length === 1 ? (found.aliases[0] ?? '') : '',
      }))
    } catch (error) {
      setErrors({ file: error instanceof Error ? error.message : String(error) })
    } finally {
      setReading(false)
    }
  }

  async function submit(): Promise<void> {
    const missing: Errors = {}
    const required = errorText('reinforce.required', language)
    if (!upload) missing.file = errorText('signature.none', language)
    if (!values.name.trim()) missing.name = required
    if (!isPem)
      for (const field of ['alias', 'store_password', 'key_password'] as const)
        if (!values[field]) missing[field] = required
    setErrors(missing)
    if (!upload || Object.keys(missing).length > 0) return
    try {
      const body = { upload: upload.id, ...values, ...(appid !== null && { appid }) }
      const { data } = await create.mutateAsync({ body })
      toast.success(t('created_'))
      onCreated(data.id)
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { field, left } = error.fields as { field?: Field; left?: number }
      if (left === 0 || error.key === 'data.missing') setUpload(undefined)
      if (error.key === 'data.missing') setErrors({ file: t('uploadGone') })
      else setErrors({ [field ?? 'file']: error.message })
    }
  }

  const drop = {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop(event: DragEvent) {
      event.preventDefault()
      void take(event.dataTransfer.files[0])
    },
  }
  return (
    <FormDialog
      title={t('upload')}
      submitLabel={create.isPending ? t('checking') : t('checkAndSave')}
      isDisabled={create.isPending || isReading}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <div {...drop}>
        <span className={FIELD_LABEL}>{t('file')}</span>
        <div
          className={`flex min-h-11 items-center gap-2 rounded border px-3 py-1.5 ${errors.file ? 'border-bad' : 'border-line-strong'}`}
        >
          <Icon of={FileKey} size={16} className="flex-none text-muted" />
          <span className="min-w-0 flex-1 text-12 [overflow-wrap:anywhere]" aria-live="polite">
            {isReading ? (
              t('reading')
            ) : upload ? (
              <>
                <strong className="text-13 font-semibold">{upload.name}</strong>{' '}
                <span className="text-muted">
                  {SIGNATURE_FORMATS[upload.format]}, {formatBytes(upload.size)}
                </span>
              </>
            ) : (
              <span className="text-muted">{t('dropHint', { size: formatBytes(KEY_FILE_BYTES) })}</span>
            )}
          </span>
          <Button size="small" isDisabled={isReading || create.isPending} onPress={() => input.current?.click()}>
            {upload ? t('change') : t('choose')}
          </Button>
        </div>
        <input
          ref={input}
          type="file"
          aria-label={t('choose')}
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            void take(target.files?.[0])
            target.value = '' // the same file may be chosen again
          }}
        />
        {errors.file && (
          <span role="alert" className={FIELD_ERROR}>
            {errors.file}
          </span>
        )}
      </div>
      <TextField
        label={t('name')}
        value={values.name}
        onChange={set('name')}
        maxLength={64}
        autoComplete="off"
        error={errors.name}
        isRequired
      />
      <TextField
        label={t('storePassword')}
        type="password"
        value={values.store_password}
        onChange={set('store_password')}
        maxLength={256}
        autoComplete="new-password"
        error={errors.store_password}
        note={isPem ? t('pemPasswordNote') : undefined}
        isRequired={!isPem}
      />
      {!isPem &&
        (upload?.aliases && upload.aliases.length > 1 ? (
          <div>
            <Select
              label={t('alias')}
              value={values.alias || null}
              items={upload.aliases.map((id) => ({ id, label: id }))}
              onChange={set('alias')}
            />
            {errors.alias && <span className={FIELD_ERROR}>{errors.alias}</span>}
          </div>
        ) : (
          <TextField
            label={t('alias')}
            value={values.alias}
            onChange={set('alias')}
            maxLength={256}
            autoComplete="off"
            error={errors.alias}
            note={
              upload?.aliases
                ? t('aliasFound', { count: upload.aliases.length })
                : upload
                  ? t('aliasHidden')
                  : undefined
            }
            isRequired
          />
        ))}
      {!isPem && (
        <TextField
          label={t('keyPassword')}
          type="password"
          value={values.key_password}
          onChange={set('key_password')}
          maxLength={256}
          autoComplete="new-password"
          error={errors.key_password}
          note={t('keyPasswordNote')}
          isRequired
        />
      )}
      <ApplicationSelect value={appid} onChange={setAppid} />
    </FormDialog>
  )
}
