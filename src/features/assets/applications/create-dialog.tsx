import { lazy, Suspense, useId, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { errorKeyOf, errorText } from '#contracts/errors.ts'
import { PLATFORMS } from '#domain/vocabulary.ts'
import { ApiError } from '#src/shared/api/api-error.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { FIELD_ERROR, FIELD_LABEL, FIELD_NOTE } from '#src/shared/ui/field.ts'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import type { UploadedFile } from '#src/shared/upload/upload-package.ts'
import { create, openUploaded } from './application-flows.ts'
import { applicationTexts } from './application-texts.ts'

const CHOICES = [PLATFORMS.android, PLATFORMS.ios] as const
type PlatformCode = (typeof CHOICES)[number]['code']

/** Seldom needed, and with the uploader behind it: it comes when it is chosen. */
const ApkUpload = lazy(() => import('#src/shared/upload/apk-upload.tsx'))

/** Mode 1: a custom application. Mode 2: an apk is uploaded and becomes one. */
export function CreateDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  // Mounted again for each opening, so that an abandoned form leaves nothing behind.
  return isOpen ? <OpenDialog onClose={onClose} /> : null
}

function OpenDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(applicationTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const [mode, setMode] = useState<'1' | '2'>('1')
  const [name, setName] = useState('')
  const [platforms, setPlatforms] = useState<readonly PlatformCode[]>([])
  const [platformsTouched, setPlatformsTouched] = useState(false)
  const platformsNote = useId()
  const [nameError, setNameError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [uploaded, setUploaded] = useState<UploadedFile | null>(null)
  const platformError =
    platformsTouched && platforms.length === 0 ? errorText('application.platform_empty', language) : undefined

  const checkName = () => {
    const error = name.trim() ? undefined : errorText('application.name_empty', language)
    setNameError(error)
    return !error
  }

  async function submit(): Promise<void> {
    setPlatformsTouched(true)
    if (!checkName() || platforms.length === 0) return
    setBusy(true)
    try {
      const next = await create(name, platforms)
      onClose()
      await navigate(next)
    } catch (error) {
      const key = error instanceof ApiError ? errorKeyOf(error.code) : undefined
      if (key === 'application.name_empty') setNameError(errorText(key, language))
      else toast.error(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }

  async function confirmUpload(): Promise<void> {
    const next = await openUploaded(uploaded?.appid ?? null)
    onClose()
    await navigate(next)
  }

  return (
    <Dialog
      title={t('createTitle')}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          {mode === '1' ? (
            <Button variant="primary" isDisabled={busy} onPress={() => void submit()}>
              {t('create')}
            </Button>
          ) : (
            <Button variant="primary" isDisabled={uploaded === null} onPress={() => void confirmUpload()}>
              {t('confirm')}
            </Button>
          )}
        </>
      }
    >
      <SegmentedControl
        label={t('mode')}
        value={mode}
        onChange={setMode}
        items={[
          { id: '1', label: t('mode1') },
          { id: '2', label: t('mode2') },
        ]}
      />
      {mode === '2' ? (
        <Suspense>
          <ApkUpload onKept={setUploaded} />
        </Suspense>
      ) : (
        <form
          className="mt-4 space-y-4"
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <TextField
            label={t('name')}
            value={name}
            onChange={(value) => {
              setName(value)
              setNameError(undefined)
            }}
            onBlur={checkName}
            error={nameError}
            placeholder={t('nameHint')}
            maxLength={64}
            isRequired
            autoFocus
            autoComplete="off"
          />
          <fieldset aria-describedby={platformsNote}>
            <legend className={FIELD_LABEL}>{t('platforms')}</legend>
            <div className="flex h-control items-center gap-6">
              {CHOICES.map((choice) => (
                <Checkbox
                  key={choice.code}
                  isSelected={platforms.includes(choice.code)}
                  onChange={(on) => {
                    setPlatformsTouched(true)
                    setPlatforms(
                      on ? [...platforms, choice.code].sort() : platforms.filter((one) => one !== choice.code),
                    )
                  }}
                >
                  {choice[language]}
                </Checkbox>
              ))}
            </div>
            <span
              id={platformsNote}
              className={platformError ? FIELD_ERROR : FIELD_NOTE}
              role={platformError ? 'alert' : undefined}
            >
              {platformError ?? t('platformsNote')}
            </span>
          </fieldset>
          <button type="submit" hidden />
        </form>
      )}
    </Dialog>
  )
}
