import { useState } from 'react'
import { alertChannels, saveAlertChannel } from '#contracts/http/alerts.ts'
import type { Channel } from '#domain/alerts.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { SecretDialog } from '#src/shared/ui/secret-dialog.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { alertTexts } from './alert-texts.ts'

/** A webhook or a list of mailboxes; a new webhook's signing secret is shown once, at the end. */
export function ChannelDialog({ channel, onClose }: { channel: Channel | null; onClose: () => void }) {
  const t = useTexts(alertTexts)
  const [kind, setKind] = useState<Channel['kind']>(channel?.kind ?? 'webhook')
  const [name, setName] = useState(channel?.name ?? '')
  const [target, setTarget] = useState(channel?.target ?? '')
  const [enabled, setEnabled] = useState(channel?.enabled ?? true)
  const [shared, setShared] = useState(channel?.shared ?? false)
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
  const run = () =>
    save.mutate({
      body: { ...(channel && { id: channel.id }), channel: { kind, name, target, enabled, shared }, rotate },
    })
  if (secret) return <SecretDialog title={t('secret')} note={t('secretText')} value={secret} onClose={onClose} />
  return (
    <FormDialog
      title={t(channel ? 'editChannel' : 'newChannel')}
      submitLabel={t('save')}
      isDisabled={save.isPending || !name.trim() || !target.trim()}
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
        isRequired
        mono
      />
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
