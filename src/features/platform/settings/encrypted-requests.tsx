import { KeyRound } from 'lucide-react'
import { envelopeKeys, rotateEnvelopeKey } from '#contracts/http/settings.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { SettingsTable } from './settings-table.tsx'
import { settingsTexts } from './settings-texts.ts'

/** Whether requests and answers travel encrypted, and the keys that open them. */
export function EncryptedRequests({
  value,
  zone,
  onChange,
}: {
  value: boolean
  zone: string
  onChange: (on: boolean) => void
}) {
  const t = useTexts(settingsTexts)
  const answer = useEndpoint(envelopeKeys)
  const rotate = useAction(rotateEnvelopeKey, {
    refreshes: [envelopeKeys],
    onSuccess: () => toast.success(t('keyRotated')),
  })
  const keys = answer.data?.data
  const time = (at: number) => formatDateTime(at, zone, 'minute')
  return (
    <fieldset className="mb-6">
      <legend className="mb-1 text-14 font-semibold">{t('encryption')}</legend>
      <p className="mb-3 text-12 text-muted">{t('encryptionNote')}</p>
      <Switch isSelected={value} onChange={onChange}>
        {t('encrypt')}
      </Switch>
      <div className="mt-4 mb-2 flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-13 font-medium">{t('requestKeys')}</h3>
        <Button
          icon={KeyRound}
          isDisabled={rotate.isPending || !keys}
          onPress={async () => {
            if (await confirm({ title: t('rotateKey'), text: t('rotateKeyText'), action: t('rotateKey') }))
              rotate.mutate({})
          }}
        >
          {t('rotateKey')}
        </Button>
      </div>
      {answer.error && !keys ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !keys ? (
        <Skeleton lines={2} height="20px" />
      ) : (
        <SettingsTable
          label={t('requestKeys')}
          rows={keys.map((key) => ({ ...key, id: String(key.kid) }))}
          columns={[
            { id: 'kid', title: t('keyNumber'), cell: (key) => key.kid },
            { id: 'made', title: t('created'), cell: (key) => time(key.made_at) },
            {
              id: 'state',
              title: t('state'),
              cell: (key) =>
                key.opens_until === null ? t('keyCurrent') : t('keyOpensUntil', { time: time(key.opens_until) }),
            },
          ]}
        />
      )}
    </fieldset>
  )
}
