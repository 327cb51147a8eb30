import { useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { Select } from '#src/shared/ui/select.tsx'
import { signatureTexts } from './signature-texts.ts'

const NONE = 'none'

/** The application whose people may use a signature file, or none. */
export function ApplicationSelect({
  value,
  onChange,
}: {
  value: string | null
  onChange: (appid: string | null) => void
}) {
  const t = useTexts(signatureTexts)
  const nameOf = useNameOf()
  const list = useApplications((state) => state.list) ?? []
  return (
    <Select
      label={t('app')}
      value={value ?? NONE}
      items={[{ id: NONE, label: t('noApp') }, ...list.map(({ id }) => ({ id, label: nameOf('app', id) }))]}
      onChange={(id) => onChange(id === NONE ? null : id)}
    />
  )
}
