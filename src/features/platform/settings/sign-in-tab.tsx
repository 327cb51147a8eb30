import { readSettings, type Settings, saveSettings } from '#contracts/http/settings.ts'
import { parseAddressRange } from '#domain/address-range.ts'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { ConsoleAddresses } from './console-addresses.tsx'
import { LdapSection } from './ldap-section.tsx'
import { OidcSection } from './oidc-section.tsx'
import { SecondFactorRoles } from './second-factor-roles.tsx'
import { SettingsForm } from './settings-form.tsx'
import { useSettingsDraft } from './use-settings-draft.ts'

type Draft = Pick<Settings, 'second_factor_roles'> & { addresses: string }

/** Who may sign in, from where and how. */
export function SignInTab() {
  return (
    // Positioned: what is hidden for the eye lies in this part, and does not make the page longer.
    <div className="relative max-w-[720px] px-5 pt-4 pb-10">
      <Limits />
      <LdapSection />
      <OidcSection />
    </div>
  )
}

/** Addresses that may sign in, and roles that need a second factor. */
function Limits() {
  const { answer, draft, saving, isChanged, change, clear } = useSettingsDraft<
    Draft,
    typeof readSettings,
    typeof saveSettings
  >(readSettings, saveSettings)
  if (answer.error && !answer.data) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <Skeleton lines={8} height="24px" className="pt-2" />
  const { data: saved, address } = answer.data
  const text = draft.addresses ?? saved.console_addresses.join('\n')
  const isWrong = linesOf(text).some((line) => !parseAddressRange(line))
  return (
    <SettingsForm
      isChanged={isChanged}
      isWrong={isWrong}
      isSaving={saving.isPending}
      onSave={() => {
        const { addresses, ...rest } = draft
        saving.mutate({ body: { ...rest, ...(addresses !== undefined && { console_addresses: linesOf(addresses) }) } })
      }}
      onUndo={clear}
    >
      <ConsoleAddresses
        text={text}
        lines={linesOf(text)}
        own={address}
        onChange={(addresses) => change({ addresses })}
      />
      <SecondFactorRoles
        value={draft.second_factor_roles ?? saved.second_factor_roles}
        onChange={(second_factor_roles) => change({ second_factor_roles })}
      />
    </SettingsForm>
  )
}

function linesOf(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter(Boolean)
}
