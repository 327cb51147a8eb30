import { useState } from 'react'
import {
  createChannel,
  moveChannels,
  type ReinforceChannel,
  reinforceChannels,
  renameChannel,
} from '#contracts/http/reinforce-channels.ts'
import type { ApiError } from '#src/shared/api/api-error.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { channelTexts } from './channel-texts.ts'

const REFRESHES = [reinforceChannels]

/** The text of a refusal about this field; a refusal without a field is shown at `fallback`. */
function errorAt(error: ApiError | null, field: string, fallback = false): string | undefined {
  if (!error) return undefined
  const named = error.fields['field']
  return named === field || (fallback && typeof named !== 'string') ? error.message : undefined
}

/** What both dialogs of one channel do: errors are shown at their fields, a saved channel closes the dialog. */
function useSaving(onClose: () => void) {
  const t = useTexts(channelTexts)
  return {
    quiet: true,
    refreshes: REFRESHES,
    onSuccess: () => {
      toast.success(t('saved'))
      onClose()
    },
  }
}

/** A group by its name: one that exists, or a new one. */
function GroupField({
  groups,
  value,
  onChange,
  autoFocus = false,
}: {
  groups: readonly string[]
  value: string
  onChange: (value: string) => void
  autoFocus?: boolean
}) {
  const t = useTexts(channelTexts)
  const shown = groups.slice(0, 8).join(t('separator'))
  return (
    <TextField
      label={t('groupName')}
      value={value}
      onChange={onChange}
      maxLength={64}
      autoComplete="off"
      autoFocus={autoFocus}
      isRequired
      note={shown ? t('groupNote', { groups: groups.length > 8 ? `${shown}…` : shown }) : undefined}
    />
  )
}

export function CreateDialog({
  appid,
  groups,
  onClose,
}: {
  appid: string
  groups: readonly string[]
  onClose: () => void
}) {
  const t = useTexts(channelTexts)
  const [key, setKey] = useState('')
  const [name, setName] = useState('')
  const [group, setGroup] = useState(groups[0] ?? '')
  const send = useAction(createChannel, useSaving(onClose))
  const isComplete = key.trim() !== '' && name.trim() !== '' && group.trim() !== ''
  return (
    <FormDialog
      title={t('create')}
      submitLabel={t('save')}
      isDisabled={!isComplete || send.isPending}
      onSubmit={() => send.mutate({ body: { appid, channel_key: key.trim(), name: name.trim(), group: group.trim() } })}
      onClose={onClose}
    >
      <TextField
        label={t('key')}
        value={key}
        onChange={setKey}
        maxLength={64}
        autoComplete="off"
        autoFocus
        isRequired
        mono
        note={t('keyNote')}
        error={errorAt(send.error, 'channel_key', true)}
      />
      <TextField
        label={t('name')}
        value={name}
        onChange={setName}
        maxLength={128}
        autoComplete="off"
        isRequired
        error={errorAt(send.error, 'name')}
      />
      <GroupField groups={groups} value={group} onChange={setGroup} />
    </FormDialog>
  )
}

export function RenameDialog({ channel, onClose }: { channel: ReinforceChannel; onClose: () => void }) {
  const t = useTexts(channelTexts)
  const [name, setName] = useState(channel.name)
  const send = useAction(renameChannel, useSaving(onClose))
  return (
    <FormDialog
      title={t('renameTitle', { key: channel.key })}
      submitLabel={t('save')}
      isDisabled={name.trim() === '' || name.trim() === channel.name || send.isPending}
      onSubmit={() => send.mutate({ body: { id: channel.id, name: name.trim() } })}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        value={name}
        onChange={setName}
        maxLength={128}
        autoComplete="off"
        autoFocus
        isRequired
        note={t('renameNote')}
        error={errorAt(send.error, 'name', true)}
      />
    </FormDialog>
  )
}

export function MoveDialog({
  appid,
  channels,
  groups,
  onClose,
}: {
  appid: string
  channels: readonly ReinforceChannel[]
  groups: readonly string[]
  onClose: (moved: boolean) => void
}) {
  const t = useTexts(channelTexts)
  const [group, setGroup] = useState('')
  const send = useAction(moveChannels, {
    refreshes: REFRESHES,
    onSuccess: ({ moved }) => {
      toast.success(t('moved', { count: moved }))
      onClose(true)
    },
  })
  return (
    <FormDialog
      title={t('moveTitle')}
      submitLabel={t('moveSubmit')}
      isDisabled={group.trim() === '' || send.isPending}
      onSubmit={() => send.mutate({ body: { appid, ids: channels.map(({ id }) => id), group: group.trim() } })}
      onClose={() => onClose(false)}
    >
      <p className="text-muted">{t('moveText', { count: channels.length })}</p>
      <GroupField groups={groups} value={group} onChange={setGroup} autoFocus />
    </FormDialog>
  )
}
