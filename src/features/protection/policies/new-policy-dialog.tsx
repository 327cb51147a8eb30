import { useState } from 'react'
import { createPolicy, policyList } from '#contracts/http/policies.ts'
import type { POLICY_STARTS } from '#domain/policy-rules.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useApplications, useCurrentApplication } from '#src/shared/session/application-store.ts'
import { FIELD_LABEL, FIELD_NOTE } from '#src/shared/ui/field.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { policyTexts } from './policy-texts.ts'

type Start = keyof typeof POLICY_STARTS
export type CopyFrom = { id: string; name: string; appid: string; version?: number }

/** A new policy: from a start, or as a copy that may belong to another application. */
export function NewPolicyDialog({
  from,
  onClose,
  onCreated,
}: {
  from?: CopyFrom | undefined
  onClose: () => void
  onCreated: (id: string) => void
}) {
  const t = useTexts(policyTexts)
  const nameOf = useNameOf()
  const apps = useApplications((state) => state.list) ?? []
  const current = useCurrentApplication()
  const [name, setName] = useState(from ? t('copyName', { name: from.name }).slice(0, 64) : '')
  const [appid, setAppid] = useState(from?.appid ?? current?.id ?? (apps.length === 1 ? (apps[0]?.id ?? null) : null))
  const [start, setStart] = useState<Start>('observe')
  const [tried, setTried] = useState(false)
  const create = useAction(createPolicy, { refreshes: [policyList] })

  function submit(): void {
    setTried(true)
    if (!name.trim() || !appid) return
    const copy = from && { copy: { id: from.id, ...(from.version !== undefined && { version: from.version }) } }
    create.mutate(
      { body: { appid, name, start, ...copy } },
      {
        onSuccess: ({ data }) => {
          toast.success(t('created'))
          onClose()
          onCreated(data.id)
        },
      },
    )
  }

  return (
    <FormDialog
      title={from ? t('copy') : t('create')}
      submitLabel={t('ok')}
      isDisabled={create.isPending || !appid}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        value={name}
        onChange={setName}
        placeholder={t('nameHint')}
        maxLength={64}
        error={tried && !name.trim() ? t('nameEmpty') : undefined}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <Select
        label={t('app')}
        value={appid}
        placeholder={t('chooseApp')}
        items={apps.map((one) => ({ id: one.id, label: nameOf('app', one.id) }))}
        onChange={setAppid}
      />
      {!from && (
        <div>
          <span className={FIELD_LABEL}>{t('start')}</span>
          <SegmentedControl
            label={t('start')}
            value={start}
            onChange={setStart}
            items={[
              { id: 'observe', label: t('start_observe') },
              { id: 'recommended', label: t('start_recommended') },
            ]}
          />
          <span className={`${FIELD_NOTE} block`}>{t(`startNote_${start}`)}</span>
        </div>
      )}
    </FormDialog>
  )
}
