import type { ReactNode } from 'react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { FormFoot } from '#src/shared/ui/form-foot.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { settingsTexts } from './settings-texts.ts'
import { signInTexts } from './sign-in-texts.ts'

type Props = {
  isChanged: boolean
  isWrong: boolean
  isSaving: boolean
  /** Whether there is something to save at all. */
  hasSave?: boolean
  onSave(): void
  onUndo(): void
  /** Further buttons, between save and undo. */
  actions?: ReactNode
  className?: string
  children: ReactNode
}

/** A form with save and undo. Enter saves too. */
export function SettingsForm({ isChanged, isWrong, isSaving, hasSave = true, actions, children, ...rest }: Props) {
  const t = useTexts(settingsTexts)
  return (
    <form
      className={rest.className}
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged && !isWrong) rest.onSave()
      }}
    >
      {children}
      {(hasSave || isChanged || actions) && (
        <FormFoot>
          {isChanged && (
            <Button variant="quiet" onPress={rest.onUndo}>
              {t('undo')}
            </Button>
          )}
          {actions}
          {hasSave && (
            <Button type="submit" variant="primary" isDisabled={!isChanged || isWrong || isSaving}>
              {t('save')}
            </Button>
          )}
        </FormFoot>
      )}
    </form>
  )
}

type SecretProps = {
  label: string
  maxLength: number
  isDisabled?: boolean
  /** One is stored, and is kept while none is entered. */
  isStored: boolean
  /** What was entered; undefined: nothing. */
  value: string | undefined
  onChange(value: string | undefined): void
}

/** A secret that the server never answers. */
export function SecretField({ isStored, value, onChange, ...field }: SecretProps) {
  const t = useTexts(signInTexts)
  return (
    <TextField
      type="password"
      autoComplete="new-password"
      note={isStored && value === undefined ? t('kept') : undefined}
      value={value ?? ''}
      onChange={(text) => onChange(text === '' ? undefined : text)}
      {...field}
    />
  )
}
