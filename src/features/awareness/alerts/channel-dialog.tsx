import { useState } from 'react'
import { alertChannels, saveAlertChannel } from '#contracts/http/alerts.ts'
import type { Channel } from '#domain/alerts.ts'
import { CHANNEL_NOTICES, type ChannelNotice, NOTIFICATION_KINDS } from '#domain/notifications.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { SecretDialog } from '#src/shared/ui/secret-dialog.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { useUrlError } from '#src/shared/ui/use-url-error.ts'
import { alertTexts } from './alert-texts.ts'

/** A webhook or a list of mailboxes; a new webhook's signing secret is shown once, at the end. */
export function ChannelDialog({ channel, onClose }: { channel: Channel | null; onClose: () => void }) {
  const t = useTexts(alertTexts)
  const language = useLanguage()
  const [kind, setKind] = useState<Channel['kind']>(channel?.kind ?? 'webhook')
  const [name, setName] = useState(channel?.name ?? '')
  const [target, setTarget] = useState(channel?.target ?? '')
  const [enabled, setEnabled] = useState(channel?.enabled ?? true)
  const [shared, setShared] = useState(channel?.shared ?? false)
  const [notices, setNotices] = useState<readonly ChannelNotice[]>(channel?.notices ?? [])
  const [rotate, setRotate] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const save = useAction(saveAlertChannel, {
    refreshes: [alertChannels],
    onSuccess: (answer) => {
      toast.success(t('saved'))
      if (answer.secret) setSecret(answer.secret)
      else onClose()
    },
  })
  const urlError = useUrlError(kind === 'webhook' ? target : '')
  const run = () =>
    save.mutate({
      body: {
        ...(channel && { id: channel.id }),
        channel: { kind, name, target, enabled, shared, notices: [...notices] },
        rotate,
      },
    })
  if (secret) return <SecretDialog title={t('secret')} note={t('secretText')} value={secret} onClose={onClose} />
  return (
    <FormDialog
      title={t(channel ? 'editChannel' : 'newChannel')}
      submitLabel={t('save')}
      isDisabled={save.isPending || !name.trim() || !target.trim() || urlError !== undefined}
      onSubmit={run}
      onClose={onClose}
    >
      <SegmentedControl
        label={t('type')}
        value={kind}
        onChange={setKind}
        isDisabled={channel !== null}
        items={(['webhook', 'mail'] as const).map((id) => ({ id, label: t(id) }))}
      />
      <TextField label={t('name')} value={name} onChange={setName} maxLength={64} isRequired autoFocus />
      <TextField
        label={t('target')}
        value={target}
        onChange={setTarget}
        maxLength={2048}
        note={t(channel && !channel.mine ? 'takeOverNote' : kind === 'webhook' ? 'webhookNote' : 'mailNote')}
        placeholder={kind === 'webhook' ? 'https://' : 'soc@example.com'}
        error={urlError}
        isRequired
        mono
      />
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 text-12 text-muted">{t('notices')}</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          {CHANNEL_NOTICES.map((one) => (
            <Checkbox
              key={one}
              isSelected={notices.includes(one)}
              onChange={(on) => setNotices(on ? [...notices, one] : notices.filter((other) => other !== one))}
            >
              {NOTIFICATION_KINDS[one][language]}
            </Checkbox>
          ))}
        </div>
        <p className="text-12 text-muted">{t('noticesNote')}</p>
      </fieldset>
      <div className="flex flex-col items-start gap-3">
        <Switch isSelected={enabled} onChange={setEnabled}>
          {t('enabled')}
        </Switch>
        <Switch isSelected={shared} onChange={setShared}>
          {t('shared')}
        </Switch>
        {channel?.kind === 'webhook' && channel.mine && (
          <Checkbox isSelected={rotate} onChange={setRotate}>
            {t('rotate')}
          </Checkbox>
        )}
      </div>
    </FormDialog>
  )
}
