import { useState } from 'react'
import { readSettings, type Settings, saveSettings } from '#contracts/http/settings.ts'
import { parseAddressRange } from '#domain/address-range.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { ConsoleAddresses } from './console-addresses.tsx'
import { LdapSection } from './ldap-section.tsx'
import { OidcSection } from './oidc-section.tsx'
import { SecondFactorRoles } from './second-factor-roles.tsx'
import { settingsTexts } from './settings-texts.ts'

type Draft = Partial<Pick<Settings, 'second_factor_roles'>> & { addresses?: string }

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
  const t = useTexts(settingsTexts)
  const answer = useEndpoint(readSettings)
  const [draft, setDraft] = useState<Draft>({})
  const save = useAction(saveSettings, {
    refreshes: [readSettings],
    onSuccess: () => {
      setDraft({})
      toast.success(t('saved'))
    },
  })
  if (answer.error && !answer.data) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <Skeleton lines={8} height="24px" className="pt-2" />
  const { data: saved, address } = answer.data
  const text = draft.addresses ?? saved.console_addresses.join('\n')
  const isChanged = Object.keys(draft).length > 0
  const isWrong = linesOf(text).some((line) => !parseAddressRange(line))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isChanged || isWrong) return
        const { addresses, ...rest } = draft
        save.mutate({ body: { ...rest, ...(addresses !== undefined && { console_addresses: linesOf(addresses) }) } })
      }}
    >
      <ConsoleAddresses
        text={text}
        lines={linesOf(text)}
        own={address}
        onChange={(addresses) => setDraft({ ...draft, addresses })}
      />
      <SecondFactorRoles
        value={draft.second_factor_roles ?? saved.second_factor_roles}
        onChange={(second_factor_roles) => setDraft({ ...draft, second_factor_roles })}
      />
      <div className="flex gap-2 pb-6">
        <Button type="submit" variant="primary" isDisabled={!isChanged || isWrong || save.isPending}>
          {t('save')}
        </Button>
        {isChanged && (
          <Button variant="quiet" onPress={() => setDraft({})}>
            {t('undo')}
          </Button>
        )}
      </div>
    </form>
  )
}

function linesOf(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter(Boolean)
}
