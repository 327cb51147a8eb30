import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import type { GroupRole } from '#contracts/http/ldap.ts'
import { roles } from '#contracts/http/roles.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { FIELD_LABEL, FIELD_NOTE } from '#src/shared/ui/field.ts'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { signInTexts } from './sign-in-texts.ts'

/** Which role the members of which group get, in the order in which they are tried. Role names need the permission to manage users. */
export function GroupRolesField({
  value,
  placeholder,
  onChange,
}: {
  value: readonly GroupRole[]
  placeholder: string
  onChange: (value: GroupRole[]) => void
}) {
  const t = useTexts(signInTexts)
  const language = useLanguage()
  const answer = useEndpoint(roles, {}, { enabled: useMay('user.manage') })
  const known = answer.data?.data.map(({ key, name }) => ({ id: key, label: name[language] })) ?? []
  const set = (at: number, change: Partial<GroupRole>) =>
    onChange(value.map((one, n) => (n === at ? { ...one, ...change } : one)))
  function move(at: number, by: number): void {
    const next = [...value]
    const [one] = next.splice(at, 1)
    next.splice(at + by, 0, one as GroupRole)
    onChange(next)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a legend and layout of its own
    <div role="group" aria-label={t('mapping')}>
      <span className={FIELD_LABEL}>{t('mapping')}</span>
      <ul className="space-y-2">
        {value.map(({ group, role }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no other name than its place
          <li key={at} className="flex flex-wrap items-start gap-2">
            <TextField
              label={t('group', { number: at + 1 })}
              hideLabel
              mono
              value={group}
              maxLength={500}
              placeholder={placeholder}
              onChange={(text) => set(at, { group: text })}
              className="min-w-[200px] flex-1"
            />
            {known.length > 0 ? (
              <Select
                label={t('roleOf', { number: at + 1 })}
                hideLabel
                value={role || null}
                placeholder={t('chooseRole')}
                items={known.some(({ id }) => id === role) || !role ? known : [...known, { id: role, label: role }]}
                onChange={(key) => set(at, { role: key })}
                className="w-[160px]"
              />
            ) : (
              <TextField
                label={t('roleOf', { number: at + 1 })}
                hideLabel
                value={role}
                maxLength={64}
                onChange={(key) => set(at, { role: key })}
                className="w-[160px]"
              />
            )}
            <span className="flex">
              <IconButton
                icon={ArrowUp}
                label={t('up', { number: at + 1 })}
                isDisabled={at === 0}
                onPress={() => move(at, -1)}
              />
              <IconButton
                icon={ArrowDown}
                label={t('down', { number: at + 1 })}
                isDisabled={at === value.length - 1}
                onPress={() => move(at, 1)}
              />
              <IconButton
                icon={X}
                label={t('removeGroup', { number: at + 1 })}
                onPress={() => onChange(value.filter((_, n) => n !== at))}
              />
            </span>
          </li>
        ))}
      </ul>
      <Button size="small" icon={Plus} className="mt-2" onPress={() => onChange([...value, { group: '', role: '' }])}>
        {t('addGroup')}
      </Button>
      <span className={`${FIELD_NOTE} block`}>{t('mappingNote')}</span>
    </div>
  )
}
