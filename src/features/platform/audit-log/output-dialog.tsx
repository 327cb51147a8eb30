import { useState } from 'react'
import { LOG_OUTPUT_KINDS, type LogOutput, logOutputs, saveLogOutput } from '#contracts/http/audit-log.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { SecretDialog } from '#src/shared/ui/secret-dialog.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { useUrlError } from '#src/shared/ui/use-url-error.ts'
import { bodyOfOutput, formOfOutput, isPort, type OutputForm } from './output-form.ts'
import { outputTexts } from './output-texts.ts'

/** A syslog server or a webhook; the signing secret of a new webhook is shown once, at the end. */
export function OutputDialog({ output, onClose }: { output: LogOutput | null; onClose: () => void }) {
  const t = useTexts(outputTexts)
  const [form, setForm] = useState<OutputForm>(() => formOfOutput(output))
  const [secret, setSecret] = useState<string | null>(null)
  const save = useAction(saveLogOutput, {
    refreshes: [logOutputs],
    onSuccess: (answer) => {
      toast.success(t('saved'))
      if (answer.secret) setSecret(answer.secret)
      else onClose()
    },
  })
  const set =
    <K extends keyof OutputForm>(name: K) =>
    (value: OutputForm[K]) =>
      setForm((before) => ({ ...before, [name]: value }))
  const urlError = useUrlError(form.kind === 'webhook' ? form.url : '')
  const body = bodyOfOutput(form, output?.id)
  if (secret !== null)
    return <SecretDialog title={t('secret')} note={t('secretNote')} value={secret} onClose={onClose} />
  return (
    <FormDialog
      title={t(output ? 'edit' : 'create')}
      submitLabel={t('save')}
      isDisabled={save.isPending || body === null || urlError !== undefined}
      onSubmit={() => body && save.mutate({ body })}
      onClose={onClose}
    >
      <SegmentedControl
        label={t('kind')}
        value={form.kind}
        onChange={set('kind')}
        isDisabled={output !== null}
        items={LOG_OUTPUT_KINDS.map((id) => ({ id, label: t(id) }))}
      />
      <TextField label={t('name')} value={form.name} onChange={set('name')} maxLength={60} isRequired autoFocus />
      {form.kind === 'syslog' ? (
        <>
          <div className="grid grid-cols-[minmax(0,1fr)_7rem] gap-3">
            <TextField
              label={t('host')}
              value={form.host}
              onChange={set('host')}
              maxLength={253}
              placeholder="logs.example.com"
              isRequired
              mono
            />
            <TextField
              label={t('port')}
              value={form.port}
              onChange={set('port')}
              maxLength={5}
              error={isPort(form.port) ? undefined : t('portError')}
              isRequired
              mono
            />
          </div>
          <TextField
            label={t('ca')}
            value={form.ca}
            onChange={set('ca')}
            rows={4}
            maxLength={20_000}
            placeholder="-----BEGIN CERTIFICATE-----"
            note={t(output?.has_ca ? 'caKept' : 'caNote')}
            mono
          />
          {output?.has_ca && form.ca.trim() === '' && (
            <Checkbox isSelected={form.dropCa} onChange={set('dropCa')}>
              {t('caRemove')}
            </Checkbox>
          )}
        </>
      ) : (
        <TextField
          label={t('url')}
          value={form.url}
          onChange={set('url')}
          maxLength={2000}
          placeholder="https://"
          note={t('urlNote')}
          error={urlError}
          isRequired
          mono
        />
      )}
      <div className="flex flex-col items-start gap-3">
        <Switch isSelected={form.enabled} onChange={set('enabled')}>
          {t('enabled')}
        </Switch>
        <Checkbox isSelected={form.history} onChange={set('history')}>
          {t('history')}
        </Checkbox>
      </div>
    </FormDialog>
  )
}
