import { useState } from 'react'
import { type Application, applicationMembers, setApplicationMembers } from '#contracts/http/applications.ts'
import { call } from '#src/shared/api/call.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { applicationTexts } from './application-texts.ts'

/** Who besides the owner may see an application. */
export function MembersDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const t = useTexts(applicationTexts)
  const answer = useEndpoint(applicationMembers, { query: { appid: application.id } })
  const [draft, setDraft] = useState<string>()
  const [error, setError] = useState<string>()
  const members = answer.data?.data.filter((one) => !one.owner).map((one) => one.username)
  const value = draft ?? members?.join('\n') ?? ''

  async function save(): Promise<void> {
    const usernames = [...new Set(value.split(/[\s,;，；]+/).filter(Boolean))]
    try {
      await call(setApplicationMembers, { body: { appid: application.id, usernames } }, { quiet: true })
      toast.success(t('saved'))
      onClose()
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal.message : String(refusal))
    }
  }

  return (
    <Dialog
      title={t('members', { name: application.name })}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="primary" isDisabled={!members} onPress={() => void save()}>
            {t('save')}
          </Button>
        </>
      }
    >
      {answer.error ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : members ? (
        <TextField
          label={t('membersLabel')}
          note={t('membersNote', { owner: application.owner })}
          rows={6}
          value={value}
          onChange={(text) => {
            setDraft(text)
            setError(undefined)
          }}
          error={error}
          autoFocus
        />
      ) : (
        <Skeleton lines={4} />
      )}
    </Dialog>
  )
}
