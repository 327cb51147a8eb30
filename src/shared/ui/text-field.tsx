import type { HTMLInputTypeAttribute } from 'react'
import { TextField as AriaTextField, FieldError, Input, Label, Text, TextArea } from 'react-aria-components'
import { FIELD_BOX, FIELD_ERROR, FIELD_LABEL, FIELD_NOTE } from './field.ts'

/** One line (or `rows` lines) of text with label, note and error. The label is always there; `hideLabel` keeps it for readers only. */
export function TextField({
  label,
  value,
  onChange,
  onBlur,
  error,
  note,
  placeholder,
  type = 'text',
  rows,
  maxLength,
  autoComplete,
  autoFocus = false,
  hideLabel = false,
  isDisabled = false,
  isReadOnly = false,
  isRequired = false,
  mono = false,
  className = '',
}: {
  label: string
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  error?: string | undefined
  note?: string | undefined
  placeholder?: string
  type?: HTMLInputTypeAttribute
  rows?: number
  maxLength?: number
  autoComplete?: string
  autoFocus?: boolean
  hideLabel?: boolean
  isDisabled?: boolean
  isReadOnly?: boolean
  isRequired?: boolean
  mono?: boolean
  className?: string
}) {
  const shared = {
    placeholder: placeholder ?? '',
    className: `${FIELD_BOX} ${mono ? 'font-mono text-12' : ''}`,
  }
  return (
    <AriaTextField
      value={value}
      onChange={onChange}
      isInvalid={Boolean(error)}
      isDisabled={isDisabled}
      isReadOnly={isReadOnly}
      isRequired={isRequired}
      autoFocus={autoFocus}
      type={type as 'text'}
      validationBehavior="aria"
      className={className}
      {...(onBlur && { onBlur })}
      {...(maxLength && { maxLength })}
      {...(autoComplete && { autoComplete })}
    >
      <Label className={hideLabel ? 'sr-only' : FIELD_LABEL}>
        {label}
        {isRequired && (
          <span aria-hidden className="pl-0.5 text-bad-text">
            *
          </span>
        )}
      </Label>
      {rows ? (
        <TextArea {...shared} rows={rows} className={`${shared.className.replace('h-control ', '')} py-1.5`} />
      ) : (
        <Input {...shared} />
      )}
      {note && !error && (
        <Text slot="description" className={FIELD_NOTE}>
          {note}
        </Text>
      )}
      <FieldError className={FIELD_ERROR}>{error}</FieldError>
    </AriaTextField>
  )
}
