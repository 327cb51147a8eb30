import { type ReactNode, useId } from 'react'
import { FIELD_ERROR } from '#src/shared/ui/field.ts'

const FIELD =
  'h-10 w-full min-w-0 rounded border border-line-strong bg-surface px-3 text-14 transition-colors duration-(--quick) hover:border-faint aria-invalid:border-bad'

/** A field of the login page, which loads no component library. */
export function LoginField({
  label,
  value,
  onChange,
  error,
  inputRef,
  children,
  ...input
}: {
  label: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
  inputRef?: (element: HTMLInputElement | null) => void
  children?: ReactNode
  type?: string
  placeholder?: string
  autoComplete: string
}) {
  const id = useId()
  return (
    <div className="mt-5">
      <label htmlFor={id} className="mb-1.5 block">
        {label}
      </label>
      <div className="relative flex items-center gap-2">
        <input
          {...input}
          id={id}
          ref={inputRef}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={error !== undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          autoCapitalize="none"
          spellCheck={false}
          className={`${FIELD} ${input.autoComplete.endsWith('-password') ? 'pr-11' : ''}`}
        />
        {children}
      </div>
      {error && (
        <span id={`${id}-error`} role="alert" className={FIELD_ERROR}>
          {error}
        </span>
      )}
    </div>
  )
}
