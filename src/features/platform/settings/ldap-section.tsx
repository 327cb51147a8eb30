import { type LdapChange, type LdapSettings, ldapSettings, saveLdap } from '#contracts/http/ldap.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { GroupRolesField } from './group-roles-field.tsx'
import { LdapTest } from './ldap-test.tsx'
import { SecretField, SettingsForm } from './settings-form.tsx'
import { signInTexts } from './sign-in-texts.ts'
import { useSettingsDraft } from './use-settings-draft.ts'

type TextName = { [K in keyof LdapSettings]: LdapSettings[K] extends string ? K : never }[keyof LdapSettings]

/** Sign-in with the accounts of an LDAP directory: settings and their test. */
export function LdapSection() {
  const t = useTexts(signInTexts)
  const { answer, draft, saving, isChanged, change, drop, clear } = useSettingsDraft<
    LdapChange,
    typeof ldapSettings,
    typeof saveLdap
  >(ldapSettings, saveLdap)
  if (answer.error && !answer.data) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <Skeleton lines={4} height="24px" />
  const { password_set, ...saved } = answer.data.data
  const now: LdapChange = { ...saved, ...draft }
  const isOpen = now.enabled || saved.url !== '' || isChanged
  const badUrl = now.url !== '' && !/^ldaps?:\/\/[^\s/?#@]+\/?$/i.test(now.url)
  const isPlain = /^ldap:/i.test(now.url)
  const isWrong = badUrl || now.roles.some(({ group, role }) => !group.trim() || !role)
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
    >
      <h2 className="text-14 font-semibold">{t('ldap')}</h2>
      <p className="mt-1 mb-3 text-12 text-muted">{t('ldapNote')}</p>
      <Switch isSelected={now.enabled} onChange={(enabled) => change({ enabled })}>
        {t('ldapOn')}
      </Switch>
      {isOpen && (
        <div className="mt-4 grid grid-cols-2 items-start gap-x-6 gap-y-4 max-sm:grid-cols-1">
          <TextField
            label={t('url')}
            placeholder="ldaps://ldap.example.com"
            maxLength={300}
            error={badUrl ? t('badUrl') : undefined}
            className={isPlain ? '' : 'col-span-full'}
            {...text('url')}
          />
          {isPlain && (
            <div className="flex flex-col gap-2 sm:pt-7">
              <Switch isSelected={now.start_tls} onChange={(start_tls) => change({ start_tls })}>
                {t('startTls')}
              </Switch>
              {!now.start_tls && (
                <Switch isSelected={now.allow_plain} onChange={(allow_plain) => change({ allow_plain })}>
                  {t('allowPlain')}
                </Switch>
              )}
            </div>
          )}
          <TextField label={t('bindDn')} note={t('bindNote')} maxLength={500} {...text('bind_dn')} />
          <SecretField
            label={t('bindPassword')}
            maxLength={256}
            isDisabled={now.bind_dn === ''}
            isStored={password_set}
            value={draft.bind_password}
            onChange={(value) => (value === undefined ? drop('bind_password') : change({ bind_password: value }))}
          />
          <TextField
            label={t('baseDn')}
            placeholder="ou=people,dc=example,dc=com"
            maxLength={500}
            {...text('base_dn')}
          />
          <TextField label={t('userFilter')} note={t('userFilterNote')} maxLength={500} {...text('user_filter')} />
          <TextField label={t('nameAttribute')} maxLength={100} {...text('name_attribute')} />
          <TextField label={t('idAttribute')} note={t('idNote')} maxLength={100} {...text('id_attribute')} />
          <TextField
            label={t('groupAttribute')}
            note={t('groupAttributeNote')}
            maxLength={100}
            {...text('group_attribute')}
          />
          <TextField label={t('groupBaseDn')} note={t('groupBaseNote')} maxLength={500} {...text('group_base_dn')} />
          {now.group_base_dn !== '' && (
            <TextField label={t('memberAttribute')} maxLength={100} {...text('member_attribute')} />
          )}
          <TextField
            label={t('ca')}
            note={t('caNote')}
            rows={3}
            maxLength={20_000}
            className="col-span-full"
            {...text('ca')}
          />
          <div className="col-span-full">
            <GroupRolesField
              value={now.roles}
              placeholder="cn=operators,ou=groups,dc=example,dc=com"
              onChange={(roles) => change({ roles })}
            />
          </div>
          <LdapTest settings={now} isDisabled={isWrong || now.url === ''} />
        </div>
      )}
    </SettingsForm>
  )
}
