import { Check, ChevronDown } from 'lucide-react'
import {
  Select as AriaSelect,
  Autocomplete,
  Button,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SearchField,
  SelectValue,
  useFilter,
} from 'react-aria-components'
import { Icon } from './icon.tsx'
import { MENU_BOX, MENU_ITEM } from './menu-class.ts'

/** One of a long list, found by typing; the label shows inside ("Account: all"). `words` of an item find it too. */
export function SearchSelect({
  label,
  items,
  value,
  onChange,
  placeholder,
  none,
  className = '',
}: {
  label: string
  items: readonly { id: string; label: string; words?: string }[]
  value: string
  onChange: (value: string) => void
  /** In the search field. */
  placeholder: string
  /** Shown where nothing matches. */
  none: string
  className?: string
}) {
  const { contains } = useFilter({ sensitivity: 'base' })
  return (
    <AriaSelect value={value} onChange={(key) => key !== null && onChange(String(key))} className={className}>
      <Label className="sr-only">{label}</Label>
      <Button className="inline-flex h-7 w-full min-w-0 items-center gap-2 rounded border border-line-strong bg-surface px-2.5 text-left text-12 text-text transition-colors duration-(--quick) hover:bg-hover">
        <span aria-hidden className="-mr-1 flex-none text-muted">
          {label}
        </span>
        <SelectValue className="text-clip-line min-w-0 flex-1" />
        <Icon of={ChevronDown} size={14} className="text-muted" />
      </Button>
      <Popover offset={4} className={`${MENU_BOX} w-64 max-w-[calc(100vw-24px)]`}>
        <Autocomplete filter={contains}>
          <SearchField aria-label={placeholder} autoFocus className="p-1 pb-0">
            <Input
              placeholder={placeholder}
              className="h-7 w-full rounded-small border border-line-strong bg-surface px-2 text-12 placeholder:text-muted [&::-webkit-search-cancel-button]:hidden"
            />
          </SearchField>
          <ListBox
            items={items}
            className="max-h-80 overflow-auto p-1"
            renderEmptyState={() => <p className="px-2 py-1.5 text-12 text-muted">{none}</p>}
          >
            {(item) => (
              <ListBoxItem id={item.id} textValue={`${item.label} ${item.words ?? ''}`} className={MENU_ITEM}>
                {({ isSelected }) => (
                  <>
                    <span className="text-clip-line min-w-0 flex-1">{item.label}</span>
                    <Icon of={Check} size={14} className={isSelected ? 'text-brand-text' : 'invisible'} />
                  </>
                )}
              </ListBoxItem>
            )}
          </ListBox>
        </Autocomplete>
      </Popover>
    </AriaSelect>
  )
}
