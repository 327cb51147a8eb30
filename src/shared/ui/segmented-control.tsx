import type { ReactNode } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { Icon, type IconType } from './icon.tsx'

/** One of two to five, all visible. With `iconOnly` the label is the button's name. */
export function SegmentedControl<Id extends string>({
  label,
  items,
  value,
  onChange,
  size = 'control',
  iconOnly = false,
  isDisabled = false,
}: {
  label: string
  items: readonly { id: Id; label: string; icon?: IconType; note?: ReactNode }[]
  value: Id
  onChange: (id: Id) => void
  size?: 'control' | 'small'
  iconOnly?: boolean
  isDisabled?: boolean
}) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      isDisabled={isDisabled}
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const [key] = keys
        if (key !== undefined) onChange(key as Id)
      }}
      className={`inline-flex flex-none border bg-surface ${size === 'small' ? 'h-6 rounded-small border-line text-12' : 'h-control rounded border-line-strong'}`}
    >
      {items.map((item) => (
        <ToggleButton
          key={item.id}
          id={item.id}
          className="inline-flex items-center gap-1.5 border-r border-line px-2.5 whitespace-nowrap text-muted transition-colors duration-(--quick) first:rounded-l-[inherit] last:rounded-r-[inherit] last:border-r-0 hover:bg-hover hover:text-text disabled:cursor-not-allowed selected:bg-selected selected:font-semibold selected:text-brand-text"
          {...(iconOnly && { 'aria-label': item.label })}
        >
          {item.icon && <Icon of={item.icon} size={size === 'small' ? 14 : 16} />}
          {!iconOnly && item.label}
          {item.note !== undefined && <span className="font-normal">{item.note}</span>}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
