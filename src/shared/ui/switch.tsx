import type { ReactNode } from 'react'
import { Switch as AriaSwitch } from 'react-aria-components'

/** Something that is on or off at once, without saving. */
export function Switch({
  isSelected,
  onChange,
  isDisabled = false,
  children,
  label,
}: {
  isSelected: boolean
  onChange: (selected: boolean) => void
  isDisabled?: boolean
  children?: ReactNode
  label?: string
}) {
  return (
    <AriaSwitch
      isSelected={isSelected}
      isDisabled={isDisabled}
      onChange={onChange}
      className="group inline-flex cursor-pointer items-center gap-2 disabled:cursor-not-allowed disabled:text-muted"
      {...(label && { 'aria-label': label })}
    >
      <span className="h-4.5 w-8 flex-none rounded-full bg-faint p-0.5 transition-colors duration-(--quick) group-focus-visible:outline-2 group-focus-visible:outline-offset-1 group-focus-visible:outline-brand-fill group-selected:bg-brand-fill group-disabled:opacity-50">
        <span className="block size-3.5 rounded-full bg-surface transition-transform duration-(--quick) group-selected:translate-x-3.5" />
      </span>
      {children}
    </AriaSwitch>
  )
}
