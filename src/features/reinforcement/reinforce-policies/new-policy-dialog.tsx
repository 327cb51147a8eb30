import { useState } from 'react'
import { APPLICATION_TYPES, type ApplicationType } from '#contracts/detection/kinds.ts'
import { errorText } from '#contracts/errors.ts'
import { createReinforcePolicy, reinforcePolicies } from '#contracts/http/reinforce-policies.ts'
import { chosenOptions } from '#domain/reinforce-policy.ts'
import { REINFORCE_TEMPLATES, templateOptions } from '#domain/reinforce-templates.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useApplications, useCurrentApplication } from '#src/shared/session/application-store.ts'
import { FIELD_NOTE } from '#src/shared/ui/field.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { reinforceTexts } from './reinforce-texts.ts'

export type CopyFrom = { id: string; name: string; appid: string | null }
const NONE = 'none'
const TYPES = Object.keys(APPLICATION_TYPES) as ApplicationType[]

/** A new policy: from a template, blank, or as a copy. */
export function NewPolicyDialog({
  from,
  note,
  onClose,
  onCreated,
}: {
  from?: CopyFrom | undefined
  note?: string | undefined
  onClose: () => void
  onCreated: (id: string) => void
}) {
  const t = useTexts(reinforceTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const apps = useApplications((state) => state.list) ?? []
  const current = useCurrentApplication()
  const [name, setName] = useState(from ? t('copyName', { name: from.name }).slice(0, 64) : '')
  const [template, setTemplate] = useState<ApplicationType | typeof NONE>('financial_lending')
  const [appid, setAppid] = useState(from ? (from.appid ?? NONE) : (current?.id ?? NONE))
  const [tried, setTried] = useState(false)
  const create = useAction(createReinforcePolicy, {
    refreshes: [reinforcePolicies],
    onSuccess: ({ data }) => {
      toast.success(t('createdToast'))
      onClose()
      onCreated(data.id)
    },
  })
  function submit(): void {
    setTried(true)
    if (!name.trim()) return
    const start = from ? { copy: from.id } : { template: template === NONE ? ('' as const) : template }
    create.mutate({ body: { name, ...start, ...(appid !== NONE && { appid }) } })
  }
  return (
    <FormDialog
      title={t(from ? 'copyTitle' : 'create')}
      submitLabel={t(from ? 'copy' : 'create')}
      isDisabled={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        value={name}
        onChange={setName}
        maxLength={64}
        autoComplete="off"
        error={tried && !name.trim() ? errorText('reinforce.required', language) : undefined}
        note={note}
        isRequired
        autoFocus
      />
      {!from && (
        <div>
          <Select
            label={t('template')}
            value={template}
            items={[
              { id: NONE, label: t('blank') },
              ...TYPES.map((id) => ({ id, label: APPLICATION_TYPES[id][language] })),
            ]}
            onChange={setTemplate}
          />
          {template !== NONE && (
            <span className={FIELD_NOTE}>
              {t('templateOptions', { count: chosenOptions(templateOptions(template)).length })} ·{' '}
              {REINFORCE_TEMPLATES[template].why[language]}
            </span>
          )}
        </div>
      )}
      <Select
        label={t('app')}
        value={appid}
        items={[{ id: NONE, label: t('noApp') }, ...apps.map(({ id }) => ({ id, label: nameOf('app', id) }))]}
        onChange={setAppid}
      />
    </FormDialog>
  )
}
