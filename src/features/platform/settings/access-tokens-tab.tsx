import { useState } from 'react'
import { accessTokens, createAccessToken, revokeAccessToken } from '#contracts/http/tokens.ts'
import { ALL_ITEMS, PERMISSION_ITEMS, type PermissionItem } from '#contracts/permissions.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useAuthList } from '#src/shared/session/session-store.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { FIELD_ERROR, FIELD_LABEL } from '#src/shared/ui/field.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { SecretNameField } from './secret-name-field.tsx'
import { SecretReveal } from './secret-reveal.tsx'
import { Hint } from './secrets-section.tsx'
import { type MadeToken, SecretsTab } from './secrets-tab.tsx'
import { settingsTexts } from './settings-texts.ts'

const DAYS = ['7', '30', '90', '180', '365'] as const

export function AccessTokensTab() {
  const t = useTexts(settingsTexts)
  const zone = usePlatform((state) => state.zone)
  const revoke = useAction(revokeAccessToken, { refreshes: [accessTokens] })
  return (
    <SecretsTab
      title={t('tokens')}
      note={t('tokensNote')}
      emptyHint={t('tokensNote')}
      answer={useEndpoint(accessTokens)}
      columns={[
        { id: 'hint', title: t('hint'), cell: (one) => <Hint text={one.hint} /> },
        {
          id: 'scopes',
          title: t('scopes'),
          cell: (one) => <span title={one.scopes.join('\n')}>{one.scopes.length}</span>,
          end: true,
        },
      ]}
      laterColumns={[
        { id: 'expires', title: t('expires'), cell: (one) => formatDateTime(one.expires_at, zone, 'day') },
      ]}
      onRevoke={(id) => revoke.mutate({ body: { id } })}
      form={(close, onMade: (made: MadeToken) => void) => <NewToken onClose={close} onMade={onMade} />}
      reveal={({ name, token }, close) => <SecretReveal title={name} secret={token} onClose={close} />}
    />
  )
}

/** Rights are picked one by one from those that the account holds itself. */
function NewToken({ onClose, onMade }: { onClose: () => void; onMade: (made: MadeToken) => void }) {
  const t = useTexts(settingsTexts)
  const language = useLanguage()
  const auth = useAuthList()
  const [name, setName] = useState('')
  const [days, setDays] = useState<(typeof DAYS)[number]>('90')
  const [scopes, setScopes] = useState<readonly PermissionItem[]>(['events.read'])
  const [tried, setTried] = useState(false)
  const make = useAction(createAccessToken, {
    refreshes: [accessTokens],
    onSuccess: ({ data, token }) => onMade({ name: data.name, token }),
  })
  const own = ALL_ITEMS.filter((item) => auth.includes(item))
  function submit(): void {
    setTried(true)
    if (name.trim() && scopes.length > 0) make.mutate({ body: { name, scopes: [...scopes], days: Number(days) } })
  }
  return (
    <FormDialog
      title={t('newToken')}
      submitLabel={t('create')}
      isDisabled={make.isPending}
      onSubmit={submit}
      onClose={onClose}
      width={640}
    >
      <div className="grid grid-cols-[minmax(0,1fr)_160px] gap-4">
        <SecretNameField value={name} onChange={setName} tried={tried} />
        <Select
          label={t('days')}
          value={days}
          onChange={setDays}
          items={DAYS.map((id) => ({ id, label: t('daysOf', { days: id }) }))}
        />
      </div>
      <fieldset>
        <legend className={FIELD_LABEL}>{t('scopes')}</legend>
        <div className="grid grid-cols-2 gap-y-2 max-sm:grid-cols-1">
          {own.map((item) => (
            <Checkbox
              key={item}
              isSelected={scopes.includes(item)}
              onChange={(on) => setScopes(on ? [...scopes, item] : scopes.filter((one) => one !== item))}
            >
              <span>
                {PERMISSION_ITEMS[item][language]} <code className="text-12 text-muted">{item}</code>
              </span>
            </Checkbox>
          ))}
        </div>
        {tried && scopes.length === 0 && (
          <span role="alert" className={FIELD_ERROR}>
            {t('scopesEmpty')}
          </span>
        )}
      </fieldset>
    </FormDialog>
  )
}
