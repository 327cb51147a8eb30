import { useState } from 'react'
import { APPLICATION_TYPES, type ApplicationType } from '#contracts/detection/kinds.ts'
import { type AppFile, createFile } from '#contracts/http/assets.ts'
import { PLATFORMS } from '#domain/vocabulary.ts'
import { loadApplications } from '#src/shared/account/load-applications.ts'
import { call } from '#src/shared/api/call.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { editTexts } from './edit-texts.ts'
import { useFileActions } from './use-file-actions.ts'

const NONE = 'none'
const NEW = 'new'

/** Name, type and application of a file. */
export function EditFileDialog({ file, onClose }: { file: AppFile; onClose: () => void }) {
  const t = useTexts(editTexts)
  const language = useLanguage()
  const { refresh } = useFileActions()
  const list = useApplications((state) => state.list) ?? []
  const mayCreate = useMay('application.create')
  const [name, setName] = useState(file.name)
  const [type, setType] = useState<ApplicationType | ''>(file.type)
  const [appid, setAppid] = useState(file.appid ?? NONE)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const ofPlatform = list.filter((one) => one.mime_type === PLATFORMS[file.platform].code)

  async function save(): Promise<void> {
    if (name.trim() === '') return setError(t('nameEmpty'))
    setBusy(true)
    try {
      const moved = appid !== NONE && appid !== file.appid
      await call(
        createFile,
        { body: { id: file.id, name: name.trim(), type, ...(moved && { appid }) } },
        { quiet: true },
      )
      if (appid === NEW) {
        await loadApplications()
      }
      await refresh()
      toast.success(t('saved'))
      onClose()
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal.message : String(refusal))
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={t('title')}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="primary" isDisabled={busy} onPress={() => void save()}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label={t('name')}
          value={name}
          onChange={(value) => {
            setName(value)
            setError(undefined)
          }}
          error={error}
          maxLength={120}
          isRequired
          autoFocus
        />
        <Select
          label={t('type')}
          value={type}
          onChange={setType}
          items={[
            { id: '' as const, label: t('noType') },
            ...(Object.keys(APPLICATION_TYPES) as ApplicationType[]).map((id) => ({
              id,
              label: APPLICATION_TYPES[id][language],
            })),
          ]}
        />
        <Select
          label={t('application')}
          value={appid}
          onChange={setAppid}
          items={[
            ...(file.appid === null ? [{ id: NONE, label: t('noApplication') }] : []),
            ...(mayCreate ? [{ id: NEW, label: t('newApplication') }] : []),
            ...ofPlatform.map((one) => ({ id: one.id, label: one.name, note: one.id })),
          ]}
        />
      </form>
    </Dialog>
  )
}
