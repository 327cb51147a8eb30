import { useState } from 'react'
import type { INGEST_SCOPES } from '#contracts/http/ingest.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { SecretNameField } from './secret-name-field.tsx'
import { settingsTexts } from './settings-texts.ts'

export type NewKey = { kind: 'server' | 'enrolment'; name: string; scopes: (typeof INGEST_SCOPES)[number][] }

export function NewKeyDialog({
  isBusy,
  onClose,
  onCreate,
}: {
  isBusy: boolean
  onClose: () => void
  onCreate: (key: NewKey) => void
}) {
  const t = useTexts(settingsTexts)
  const [kind, setKind] = useState<NewKey['kind']>('server')
  const [name, setName] = useState('')
  const [imports, setImports] = useState(false)
  const [tried, setTried] = useState(false)
  function submit(): void {
    setTried(true)
    if (name.trim()) onCreate({ kind, name, scopes: kind === 'server' && imports ? ['events', 'import'] : ['events'] })
  }
  return (
    <FormDialog title={t('newKey')} submitLabel={t('create')} isDisabled={isBusy} onSubmit={submit} onClose={onClose}>
      <div>
        <SegmentedControl
          label={t('kind')}
          value={kind}
          onChange={setKind}
          items={[
            { id: 'server', label: t('server') },
            { id: 'enrolment', label: t('enrolment') },
          ]}
        />
        <p className="mt-1.5 text-12 text-muted">{t(kind === 'server' ? 'serverNote' : 'enrolmentNote')}</p>
      </div>
      <SecretNameField value={name} onChange={setName} tried={tried} />
      {kind === 'server' && (
        <Checkbox isSelected={imports} onChange={setImports}>
          {t('importScope')}
        </Checkbox>
      )}
    </FormDialog>
  )
}
