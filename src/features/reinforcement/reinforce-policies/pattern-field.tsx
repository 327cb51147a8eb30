import { useState } from 'react'
import { TextField } from '#src/shared/ui/text-field.tsx'

/** Patterns, one a line. What is typed stays as it is typed; empty lines say nothing. */
export function PatternField({
  label,
  note,
  example,
  patterns,
  onChange,
  error,
  isRequired,
  isDisabled,
}: {
  label: string
  note: string
  /** Shown while nothing is typed; without one the note is. */
  example: string | undefined
  patterns: readonly string[]
  onChange: (patterns: string[]) => void
  error: string | undefined
  isRequired: boolean
  isDisabled: boolean
}) {
  const [text, setText] = useState(patterns.join('\n'))
  const [from, setFrom] = useState(patterns)
  const linesOf = (typed: string) => [...new Set(typed.split(/\s+/).filter(Boolean))].slice(0, 200)
  // Discarded or saved elsewhere: what is shown follows.
  if (from !== patterns) {
    setFrom(patterns)
    if (linesOf(text).join('\n') !== patterns.join('\n')) setText(patterns.join('\n'))
  }
  return (
    <TextField
      mono
      label={label}
      value={text}
      onChange={(typed) => {
        setText(typed)
        onChange(linesOf(typed))
      }}
      rows={3}
      note={note}
      placeholder={example ?? note}
      error={error}
      isRequired={isRequired}
      isDisabled={isDisabled}
    />
  )
}
