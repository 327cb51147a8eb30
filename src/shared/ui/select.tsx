import { Check, ChevronDown } from 'lucide-react'
import { Select as AriaSelect, Button, Label, ListBox, ListBoxItem, Popover, SelectValue } from 'react-aria-components'
import { FIELD_LABEL } from './field.ts'
import { Icon } from './icon.tsx'
import { MENU_BOX, MENU_ITEM } from './menu-class.ts'

/** One of a list. `hideLabel` keeps the label for readers only; `prefix` shows it inside instead ("应用：全部"). */
export function Select<Id extends string>({
  label,
  items,
  value,
  onChange,
  hideLabel = false,
  prefix = false,
  placeholder = '',
  isDisabled = false,
  size = 'control',
  className = '',
}: {
  label: string
  items: readonly { id: Id; label: string; note?: string }[]
  value: Id | null
  onChange: (value: Id) => void
  hideLabel?: boolean
  prefix?: boolean
  placeholder?: string
  isDisabled?: boolean
  size?: 'control' | 'small'
  className?: string
}) {
  return (
    <AriaSelect
      value={value}
      onChange={(key) => key !== null && onChange(key as Id)}
      isDisabled={isDisabled}
      placeholder={placeholder}
      className={className}
    >
      <Label className={hideLabel || prefix ? 'sr-only' : FIELD_LABEL}>{label}</Label>
      <Button
        className={`inline-flex w-full min-w-0 items-center gap-2 rounded border border-line-strong bg-surface px-2.5 text-left text-text transition-colors duration-(--quick) hover:bg-hover disabled:bg-canvas disabled:text-muted ${size === 'small' ? 'h-7 text-12' : 'h-control'}`}
      >
        {prefix && (
          <span aria-hidden className="-mr-1 flex-none text-muted">
            {label}
          </span>
        )}
        <SelectValue className="text-clip-line min-w-0 flex-1 placeholder-shown:text-muted [&_[slot=description]]:hidden" />
        <Icon of={ChevronDown} size={14} className="text-muted" />
      </Button>
      <Popover offset={4} className={`${MENU_BOX} min-w-(--trigger-width)`}>
        <ListBox items={items} className="max-h-80 overflow-auto p-1">
          {(item) => (
            <ListBoxItem id={item.id} textValue={item.label} className={MENU_ITEM}>
              {({ isSelected }) => (
                <>
                  <span className="text-clip-line min-w-0 flex-1">{item.label}</span>
                  {item.note && <span className="pl-4 text-12 text-muted">{item.note}</span>}
                  <Icon of={Check} size={14} className={isSelected ? 'text-brand-text' : 'invisible'} />
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
