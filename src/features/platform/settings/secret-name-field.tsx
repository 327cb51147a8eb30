import { useTexts } from '#src/shared/i18n/texts.ts'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { settingsTexts } from './settings-texts.ts'

/** The name of a new key or token; `tried`: the form was submitted, so an empty name shows its error. */
export function SecretNameField({
  value,
  onChange,
  tried,
}: {
  value: string
  onChange: (name: string) => void
  tried: boolean
}) {
  const t = useTexts(settingsTexts)
  return (
    <TextField
      label={t('name')}
      value={value}
      onChange={onChange}
      maxLength={64}
      error={tried && !value.trim() ? t('nameEmpty') : undefined}
      isRequired
      autoFocus
    />
  )
}
