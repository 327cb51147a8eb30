import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox } from 'react-aria-components'

export function Checkbox({
  isSelected,
  onChange,
  isIndeterminate = false,
  isDisabled = false,
  children,
  label,
}: {
  isSelected: boolean
  onChange: (selected: boolean) => void
  isIndeterminate?: boolean
  isDisabled?: boolean
  children?: ReactNode
  /** Accessible name where no text is beside it (a table row). */
  label?: string
}) {
  return (
    <AriaCheckbox
      isSelected={isSelected}
      isIndeterminate={isIndeterminate}
      isDisabled={isDisabled}
      onChange={onChange}
      className="group inline-flex min-w-0 cursor-pointer items-center gap-2 disabled:cursor-not-allowed disabled:text-muted"
      {...(label && { 'aria-label': label })}
    >
      <span className="flex size-4 flex-none items-center justify-center rounded-[3px] border border-faint bg-surface text-brand-on group-focus-visible:outline-2 group-focus-visible:outline-offset-1 group-focus-visible:outline-brand-fill group-selected:border-brand-fill group-selected:bg-brand-fill group-indeterminate:border-brand-fill group-indeterminate:bg-brand-fill group-disabled:opacity-50">
        {isIndeterminate ? <Minus size={12} strokeWidth={3} /> : isSelected && <Check size={12} strokeWidth={3} />}
      </span>
      {children}
    </AriaCheckbox>
  )
}
