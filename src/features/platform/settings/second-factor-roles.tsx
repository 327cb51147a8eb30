import { roles } from '#contracts/http/roles.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { settingsTexts } from './settings-texts.ts'

/** Roles whose accounts must use a second factor. Role names need the permission to manage users. */
export function SecondFactorRoles({
  value,
  onChange,
}: {
  value: readonly string[]
  onChange: (keys: string[]) => void
}) {
  const t = useTexts(settingsTexts)
  const language = useLanguage()
  const mayRead = useMay('user.manage')
  const answer = useEndpoint(roles, {}, { enabled: mayRead })
  const list = answer.data?.data
  return (
    <fieldset className="mb-6">
      <legend className="mb-1 text-14 font-semibold">{t('secondFactor')}</legend>
      <p className="mb-3 text-12 text-muted">{t('secondFactorNote')}</p>
      {!mayRead ? (
        <p className="text-muted">{t('secondFactorForbidden', { number: value.length })}</p>
      ) : answer.error ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !list ? (
        <Skeleton lines={2} height="20px" />
      ) : (
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          {list.map(({ key, name }) => (
            <Checkbox
              key={key}
              isSelected={value.includes(key)}
              onChange={(on) => onChange(on ? [...value, key] : value.filter((one) => one !== key))}
            >
              {name[language]}
            </Checkbox>
          ))}
        </div>
      )}
    </fieldset>
  )
}
