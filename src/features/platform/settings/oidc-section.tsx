import { PlugZap } from 'lucide-react'
import {
  OIDC_RETURN,
  type OidcChange,
  type OidcSettings,
  oidcSettings,
  saveOidc,
  testOidc,
} from '#contracts/http/oidc.ts'
import { isUrl } from '#domain/url-check.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { GroupRolesField } from './group-roles-field.tsx'
import { SecretField, SettingsForm } from './settings-form.tsx'
import { signInTexts } from './sign-in-texts.ts'
import { useSettingsDraft } from './use-settings-draft.ts'

/** `strong`: the values as they are being typed. */
type Draft = OidcChange & { strong: string }
type TextName = { [K in keyof OidcSettings]: OidcSettings[K] extends string ? K : never }[keyof OidcSettings]

/** Sign-in with an OpenID Connect provider. */
export function OidcSection() {
  const t = useTexts(signInTexts)
  const { answer, draft, saving, isChanged, change, drop, clear } = useSettingsDraft<
    Draft,
    typeof oidcSettings,
    typeof saveOidc
  >(oidcSettings, saveOidc)
  const test = useAction(testOidc)
  if (answer.error && !answer.data) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <Skeleton lines={4} height="24px" />
  const { secret_set, ...saved } = answer.data.data
  const { strong, ...changes } = draft
  const now: OidcChange = { ...saved, console_url: saved.console_url || location.origin, ...changes }
  const isOpen = now.enabled || saved.issuer !== '' || isChanged
  const badAddress = (url: string) =>
    url === '' || (isUrl(url) && /^(https:\/\/|http:\/\/(localhost|127\.[\d.]+|\[::1\])(:\d+)?(\/|$))/i.test(url))
      ? undefined
      : t('badHttps')
  const isWrong =
    badAddress(now.issuer) !== undefined ||
    badAddress(now.console_url) !== undefined ||
    now.roles.some(({ group, role }) => !group.trim() || !role)
  const text = (name: TextName) => ({
    value: now[name],
    onChange: (value: string) => change({ [name]: value }),
    mono: true,
  })
  return (
    <SettingsForm
      className="border-t pt-5"
      isChanged={isChanged}
      isWrong={isWrong}
      isSaving={saving.isPending}
      hasSave={isOpen}
      onSave={() => saving.mutate({ body: now })}
      onUndo={clear}
      actions={
        isOpen && (
          <Button
            icon={PlugZap}
            isDisabled={isWrong || now.issuer === '' || test.isPending}
            onPress={() => test.mutate({ body: now })}
          >
            {t(test.isPending ? 'testing' : 'test')}
          </Button>
        )
      }
    >
      <h2 className="text-14 font-semibold">{t('oidc')}</h2>
      <p className="mt-1 mb-3 text-12 text-muted">{t('oidcNote')}</p>
      <Switch isSelected={now.enabled} onChange={(enabled) => change({ enabled })}>
        {t('oidcOn')}
      </Switch>
      {isOpen && (
        <div className="mt-4 grid grid-cols-2 items-start gap-x-6 gap-y-4 max-sm:grid-cols-1">
          <TextField label={t('label')} maxLength={40} {...text('label')} mono={false} />
          <TextField
            label={t('issuer')}
            placeholder="https://id.example.com"
            maxLength={300}
            error={badAddress(now.issuer)}
            {...text('issuer')}
          />
          <TextField label={t('clientId')} maxLength={300} {...text('client_id')} />
          <SecretField
            label={t('clientSecret')}
            maxLength={1000}
            isStored={secret_set}
            value={draft.client_secret}
            onChange={(value) => (value === undefined ? drop('client_secret') : change({ client_secret: value }))}
          />
          <TextField
            label={t('consoleUrl')}
            note={t('returnUrl', { url: now.console_url + OIDC_RETURN })}
            maxLength={300}
            error={badAddress(now.console_url)}
            className="col-span-full"
            {...text('console_url')}
          />
          <TextField label={t('scopes')} maxLength={300} {...text('scopes')} />
          <TextField label={t('groupsClaim')} note={t('groupsClaimNote')} maxLength={200} {...text('groups_claim')} />
          <TextField
            label={t('strongValues')}
            note={t('strongNote')}
            maxLength={500}
            mono
            className="col-span-full"
            value={strong ?? now.strong_values.join(', ')}
            onChange={(value) =>
              change({
                strong: value,
                strong_values: value
                  .split(/[,，]/)
                  .map((one) => one.trim())
                  .filter(Boolean),
              })
            }
          />
          <TextField
            label={t('ca')}
            note={t('caNote')}
            rows={3}
            maxLength={20_000}
            className="col-span-full"
            {...text('ca')}
          />
          <div className="col-span-full">
            <GroupRolesField value={now.roles} placeholder="operators" onChange={(roles) => change({ roles })} />
          </div>
        </div>
      )}
      {test.data && (
        <div className="mt-4 rounded border bg-canvas px-4 py-3" aria-live="polite">
          <Chip tone={test.data.data.ok ? 'good' : 'bad'}>{t(test.data.data.ok ? 'tested' : 'notTested')}</Chip>
          <pre className="mt-2 text-12 whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
            {test.data.data.lines.join('\n')}
          </pre>
        </div>
      )}
    </SettingsForm>
  )
}
