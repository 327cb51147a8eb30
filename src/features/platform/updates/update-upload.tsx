import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { errorText } from '#contracts/errors.ts'
import {
  beginUpdate,
  checkUpdate,
  createUpdateUpload,
  showUpdates,
  type UpdatesAnswer,
} from '#contracts/http/updates.ts'
import { ApiError } from '#src/shared/api/api-error.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { forgetUpload, uploadChunks } from '#src/shared/upload/upload-package.ts'
import { uploadPercent } from '#src/shared/upload/upload-percent.ts'
import { PROBLEM_TEXTS, updatesTexts } from './updates-texts.ts'
import { useShowBegun } from './use-show-begun.ts'

/** Chooses, uploads and checks an update package; then the update begins. */
export function UpdateUpload({ data }: { data: UpdatesAnswer }) {
  const t = useTexts(updatesTexts)
  const language = useLanguage()
  const input = useRef<HTMLInputElement>(null)
  const stop = useRef<AbortController>(undefined)
  const [percent, setPercent] = useState<number>()
  const [error, setError] = useState('')
  const show = (refused: ApiError) => setError(refused.message)
  const check = useAction(checkUpdate, { refreshes: [showUpdates], onError: show })
  const begin = useAction(beginUpdate, { refreshes: [showUpdates], onSuccess: useShowBegun(), onError: show })
  const { uploaded } = data

  async function send(file: File): Promise<void> {
    setError('')
    if (!/\.zip$/i.test(file.name)) return setError(errorText('update.only_zip', language))
    if (file.size > data.limit_bytes) return setError(errorText('update.too_large', language))
    stop.current = new AbortController()
    setPercent(0)
    try {
      const target = createUpdateUpload.path
      const upload_id = await uploadChunks(file, target, {
        onSent: (bytes) => setPercent(uploadPercent(bytes, file.size, false)),
        signal: stop.current.signal,
      })
      await check.mutateAsync({ body: { upload_id } }).catch(() => forgetUpload(file, target))
    } catch (cause) {
      if (!stop.current.signal.aborted) setError(cause instanceof ApiError ? cause.message : String(cause))
    } finally {
      setPercent(undefined)
    }
  }

  const version = uploaded?.facts?.version ?? ''
  const isBusy = percent !== undefined || check.isPending
  return (
    <Section plain title={t('package')} className="border-b">
      <div className="flex flex-col gap-3 px-5 pb-4">
        {!data.has_keys && <p className="text-warn-text">{t('noKeys')}</p>}
        <div className="flex flex-wrap items-center gap-3">
          <Button icon={Upload} isDisabled={isBusy} onPress={() => input.current?.click()}>
            {t('choose')}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={t('choose')}
            onChange={(event) => {
              const file = event.target.files?.[0]
              event.target.value = ''
              if (file) void send(file)
            }}
          />
          <span className="min-w-0 text-12 text-muted">{t('chooseHint', { size: formatBytes(data.limit_bytes) })}</span>
        </div>
        {isBusy && (
          <div className="flex items-center gap-3" role="status">
            <span className="flex-none text-muted tabular-nums">
              {check.isPending ? t('checking') : `${t('uploading')} ${percent ?? 0}%`}
            </span>
            <ProgressBar value={check.isPending ? null : (percent ?? 0) / 100} label={t('uploading')} />
            {!check.isPending && (
              <Button size="small" onPress={() => stop.current?.abort()}>
                {t('cancel')}
              </Button>
            )}
          </div>
        )}
        {error !== '' && (
          <p role="alert" className="text-bad-text">
            {error}
          </p>
        )}
        {uploaded && !isBusy && (
          <div className="flex flex-wrap items-center gap-3" data-testid="update-package">
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              {uploaded.name} <span className="text-muted">{formatBytes(uploaded.bytes)}</span>
              {uploaded.problem ? (
                <span className="block text-bad-text">
                  {[t('refused'), PROBLEM_TEXTS[uploaded.problem.key][language], uploaded.problem.detail]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              ) : (
                <span className="block text-good-text">{t('ready', { version })}</span>
              )}
            </span>
            {!uploaded.problem && (
              <Button
                variant="primary"
                isDisabled={begin.isPending}
                onPress={async () => {
                  if (await confirm({ title: t('beginTitle', { version }), text: t('beginText') }))
                    begin.mutate({ body: { upload_id: uploaded.id } })
                }}
              >
                {t('begin')}
              </Button>
            )}
          </div>
        )}
      </div>
    </Section>
  )
}
