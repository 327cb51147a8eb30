import { useState } from 'react'
import { errorText } from '#contracts/errors.ts'
import {
  type PlatformInformation,
  platformInfo,
  setTool,
  TEMPLATE_USES,
  type TemplateFile,
  type TemplateUse,
} from '#contracts/http/platform-info.ts'
import { PRODUCTS } from '#contracts/product-names.ts'
import { loadPlatform } from '#src/shared/api/session.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { FIELD_LABEL } from '#src/shared/ui/field.ts'
import { LogoField } from '#src/shared/ui/logo-field.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { platformDialogTexts } from './platform-dialog-texts.ts'
import { TemplateFiles } from './template-files.tsx'

type Draft = Partial<Pick<PlatformInformation, 'product' | 'name' | 'logo' | 'files'>>
const USES = Object.keys(TEMPLATE_USES) as TemplateUse[]

/** Visible to all; saving needs the permission (decision 11). */
export function PlatformDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(platformDialogTexts)
  const language = useLanguage()
  const maySave = useMay('platform.settings')
  const answer = useEndpoint(platformInfo)
  const [draft, setDraft] = useState<Draft>({})
  const [error, setError] = useState('')
  const save = useAction(setTool, {
    refreshes: [platformInfo],
    onError: (refused) => setError(refused.message),
    onSuccess: async () => {
      await loadPlatform().catch(() => undefined)
      toast.success(t('saved'))
      onClose()
    },
  })
  const saved = answer.data?.data
  const now = saved && { ...saved, ...draft }
  const change = (next: Draft) => {
    setError('')
    setDraft((before) => ({ ...before, ...next }))
  }

  /** An uploaded file takes the first use that is free. */
  function add(uploaded: TemplateFile): void {
    setDraft((before) => {
      const files = before.files ?? saved?.files ?? []
      const use = USES.find((one) => !files.some((file) => file.use === one)) ?? null
      return { ...before, files: [...files, { ...uploaded, use }] }
    })
  }

  function submit(): void {
    if (!now) return
    if (now.files.length === 0) {
      setError(errorText('info.no_files', language))
      return
    }
    const { product, name } = now
    const files = now.files.map(({ id, use }) => ({ id, use: use as TemplateUse }))
    save.mutate({ body: { product, name, files, ...('logo' in draft && { logo: draft.logo }) } })
  }

  return (
    <Dialog
      title={t('title')}
      isOpen
      onOpenChange={onClose}
      width={640}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button
            variant="primary"
            isDisabled={!maySave || !saved || save.isPending}
            {...(!maySave && { title: t('forbidden') })}
            onPress={submit}
          >
            {t('save')}
          </Button>
        </>
      }
    >
      {!now ? (
        answer.error ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : (
          <Skeleton lines={6} height="24px" />
        )
      ) : (
        <div className="space-y-4">
          {!maySave && <p className="rounded bg-canvas px-3 py-2 text-muted">{t('forbidden')}</p>}
          <div className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
            <Select
              label={t('product')}
              value={now.product}
              onChange={(product) => change({ product })}
              isDisabled={!maySave}
              items={(Object.keys(PRODUCTS) as PlatformInformation['product'][]).map((id) => ({
                id,
                label: PRODUCTS[id][language],
              }))}
            />
            <TextField
              label={t('name')}
              value={now.name}
              onChange={(name) => change({ name })}
              note={t('nameNote')}
              placeholder={PRODUCTS[now.product][language]}
              maxLength={40}
              isDisabled={!maySave}
            />
          </div>
          <div>
            <span className={FIELD_LABEL}>{t('logo')}</span>
            <LogoField
              logo={now.logo}
              note={t('logoNote')}
              isDisabled={!maySave}
              onChange={(logo) => change({ logo })}
            />
          </div>
          <TemplateFiles
            files={now.files}
            isDisabled={!maySave}
            onChange={(files) => change({ files })}
            onUploaded={add}
            onError={setError}
          />
          {error && (
            <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad-text">
              {error}
            </p>
          )}
        </div>
      )}
    </Dialog>
  )
}
