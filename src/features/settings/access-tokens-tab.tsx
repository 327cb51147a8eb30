import { Plus } from 'lucide-react'
import { useState } from 'react'
import { accessTokens, createAccessToken, revokeAccessToken } from '#contracts/http/accounts.ts'
import { ALL_ITEMS, PERMISSION_ITEMS, type PermissionItem } from '#contracts/permissions.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useSession } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { FIELD_ERROR, FIELD_LABEL } from '#src/shared/ui/field.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { SettingsTable } from './settings-table.tsx'
import { settingsTexts } from './settings-texts.ts'
import { TokenState } from './token-state.tsx'
import { ToldOnce } from './told-once.tsx'

const DAYS = ['7', '30', '90', '180', '365'] as const

export function AccessTokensTab() {
  const t = useTexts(settingsTexts)
  const zone = usePlatform((state) => state.zone)
  const answer = useEndpoint(accessTokens)
  const revoke = useAction(revokeAccessToken, { refreshes: [accessTokens] })
  const [making, setMaking] = useState(false)
  const [told, setTold] = useState<{ name: string; token: string } | null>(null)
  const list = answer.data?.data
  return (
    <>
      <Section
        plain
        title={t('tokens')}
        note={t('tokensNote')}
        state={answer.isPending ? 'loading' : 'ready'}
        actions={
          <Button icon={Plus} variant="primary" onPress={() => setMaking(true)}>
            {t('create')}
          </Button>
        }
        className="pt-2"
      >
        {answer.error && !list ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : list?.length === 0 ? (
          <EmptyState kind="none" title={t('none')} hint={t('tokensNote')} />
        ) : (
          <SettingsTable
            label={t('tokens')}
            rows={list ?? []}
            columns={[
              { id: 'name', title: t('name'), cell: (one) => one.name },
              { id: 'hint', title: t('hint'), cell: (one) => <code className="text-12">{one.hint}…</code> },
              {
                id: 'scopes',
                title: t('scopes'),
                cell: (one) => <span title={one.scopes.join('\n')}>{one.scopes.length}</span>,
                end: true,
              },
              { id: 'created', title: t('created'), cell: (one) => <RelativeTime at={one.created_at} /> },
              { id: 'expires', title: t('expires'), cell: (one) => formatDateTime(one.expires_at, zone, 'day') },
              {
                id: 'used',
                title: t('used'),
                cell: (one) => (one.last_used_at === null ? t('never') : <RelativeTime at={one.last_used_at} />),
              },
              {
                id: 'state',
                title: t('state'),
                cell: (one) => <TokenState revokedAt={one.revoked_at} expiresAt={one.expires_at} />,
              },
              {
                id: 'actions',
                title: '',
                end: true,
                cell: (one) =>
                  one.revoked_at === null && (
                    <Button
                      size="small"
                      variant="quiet"
                      onPress={async () => {
                        const text = t('revokeText', { name: one.name })
                        if (await confirm({ title: t('revoke'), text, action: t('revoke'), danger: true }))
                          revoke.mutate({ body: { id: one.id } })
                      }}
                    >
                      {t('revoke')}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Section>
      {making && (
        <NewToken
          onClose={() => setMaking(false)}
          onMade={(name, token) => {
            setMaking(false)
            setTold({ name, token })
          }}
        />
      )}
      {told && <ToldOnce title={told.name} secret={told.token} onClose={() => setTold(null)} />}
    </>
  )
}

/** Rights are picked one by one from those that the account holds itself. */
function NewToken({ onClose, onMade }: { onClose: () => void; onMade: (name: string, token: string) => void }) {
  const t = useTexts(settingsTexts)
  const language = useLanguage()
  const auth = useSession((state) => state.user?.auth_list ?? [])
  const [name, setName] = useState('')
  const [days, setDays] = useState<(typeof DAYS)[number]>('90')
  const [scopes, setScopes] = useState<readonly PermissionItem[]>(['events.read'])
  const [tried, setTried] = useState(false)
  const make = useAction(createAccessToken, {
    refreshes: [accessTokens],
    onSuccess: ({ data, token }) => onMade(data.name, token),
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
        <TextField
          label={t('name')}
          value={name}
          onChange={setName}
          maxLength={64}
          error={tried && !name.trim() ? t('nameEmpty') : undefined}
          isRequired
          autoFocus
        />
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
