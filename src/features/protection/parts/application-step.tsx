import { lazy, Suspense, useState } from 'react'
import { errorText } from '#contracts/errors.ts'
import { type Application, createApplication } from '#contracts/http/applications.ts'
import { PLATFORMS } from '#domain/vocabulary.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { setApplicationList, setCurrentApplication, useApplications } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { FIELD_ERROR, FIELD_LABEL } from '#src/shared/ui/field.ts'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import type { UploadedFile } from '#src/shared/upload/upload-package.ts'
import { constructionTexts } from './construction-texts.ts'

const CHOICES = [PLATFORMS.android, PLATFORMS.ios] as const
type PlatformCode = (typeof CHOICES)[number]['code']
const ApkUpload = lazy(() => import('#src/shared/upload/apk-upload.tsx'))
type Mode = 'existing' | 'mode1' | 'mode2'

/** An application that is there, or a new one. */
export function ApplicationStep({ application, onNext }: { application: Application | null; onNext: () => void }) {
  const t = useTexts(constructionTexts)
  const nameOf = useNameOf()
  const list = useApplications((state) => state.list) ?? []
  const [hasRole, hasItem] = [useMay('createapp'), useMay('application.create')]
  const mayCreate = hasRole && hasItem
  const [mode, setMode] = useState<Mode>(list.length > 0 || !mayCreate ? 'existing' : 'mode1')
  return (
    <div className="max-w-xl space-y-4 px-5 pb-6">
      <SegmentedControl
        label={t('app')}
        value={mode}
        onChange={setMode}
        items={[
          { id: 'existing', label: t('existing'), note: list.length },
          ...(mayCreate
            ? ([
                { id: 'mode1', label: t('mode1') },
                { id: 'mode2', label: t('mode2') },
              ] as const)
            : []),
        ]}
      />
      {mode === 'mode2' && <ByUpload onCreated={onNext} />}
      {mode === 'mode1' && <CustomForm onCreated={onNext} />}
      {mode === 'existing' && (
        <>
          <Select
            label={t('choose')}
            value={application?.id ?? null}
            placeholder={t('choose')}
            items={list.map((one) => ({ id: one.id, label: nameOf('app', one.id) }))}
            onChange={(id) => setCurrentApplication(id)}
          />
          {application && (
            <Button variant="primary" onPress={onNext}>
              {t('next')}
            </Button>
          )}
        </>
      )}
    </div>
  )
}

/** Name and platforms, checked in the words of the creation form; the first new one becomes current. */
function CustomForm({ onCreated }: { onCreated: () => void }) {
  const t = useTexts(constructionTexts)
  const language = useLanguage()
  const create = useAction(createApplication, { quiet: true })
  const [name, setName] = useState('')
  const [platforms, setPlatforms] = useState<readonly PlatformCode[]>([])
  const [tried, setTried] = useState(false)
  const nameError = tried && !name.trim() ? errorText('application.name_empty', language) : undefined
  const platformError = tried && platforms.length === 0 ? errorText('application.platform_empty', language) : undefined

  function submit(): void {
    setTried(true)
    if (!name.trim() || platforms.length === 0) return
    create.mutate(
      { body: { name: name.trim(), mimetype_list: [...platforms] } },
      {
        onSuccess: ({ object_list }) => {
          if (object_list[0]) setCurrentApplication(object_list[0].id)
          setApplicationList(object_list)
          toast.success(t('created'))
          onCreated()
        },
        onError: (error) => toast.error(error.message),
      },
    )
  }

  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        label={t('name')}
        value={name}
        onChange={setName}
        error={nameError}
        maxLength={64}
        isRequired
        autoComplete="off"
      />
      <fieldset>
        <legend className={FIELD_LABEL}>{t('platforms')}</legend>
        <div className="flex h-control items-center gap-6">
          {CHOICES.map((choice) => (
            <Checkbox
              key={choice.code}
              isSelected={platforms.includes(choice.code)}
              onChange={(on) =>
                setPlatforms(on ? [...platforms, choice.code].sort() : platforms.filter((one) => one !== choice.code))
              }
            >
              {choice[language]}
            </Checkbox>
          ))}
        </div>
        {platformError && (
          <span role="alert" className={FIELD_ERROR}>
            {platformError}
          </span>
        )}
      </fieldset>
      <Button type="submit" variant="primary" isDisabled={create.isPending}>
        {t('create')}
      </Button>
    </form>
  )
}

/** An application of an uploaded apk. */
function ByUpload({ onCreated }: { onCreated: () => void }) {
  const t = useTexts(constructionTexts)
  const [uploaded, setUploaded] = useState<UploadedFile | null>(null)
  return (
    <>
      <Suspense>
        <ApkUpload onKept={setUploaded} />
      </Suspense>
      <Button
        variant="primary"
        isDisabled={uploaded === null}
        onPress={() => {
          if (uploaded?.appid) setCurrentApplication(uploaded.appid)
          onCreated()
        }}
      >
        {t('confirm')}
      </Button>
    </>
  )
}
