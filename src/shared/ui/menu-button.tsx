import { Check } from 'lucide-react'
import { Fragment, type ReactElement } from 'react'
import {
  Header,
  Keyboard,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  type Placement,
  Popover,
  Separator,
} from 'react-aria-components'
import { Button } from './button.tsx'
import { Icon, type IconType } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import { MENU_BOX, MENU_ITEM } from './menu-class.ts'

export type MenuEntry = {
  id: string
  label: string
  onAction: () => void
  icon?: IconType
  /** Small text at the right: a key, a count. */
  hint?: string
  isDisabled?: boolean
  /** With `true` or `false` the entry is a choice with a tick. */
  isChosen?: boolean
  danger?: boolean
}
export type MenuGroup = { title?: string; items: readonly MenuEntry[] }

/** A button that opens a menu. `items` is a flat list or groups with a line between; `trigger` replaces the button. */
export function MenuButton({
  label,
  icon,
  items,
  variant = 'plain',
  iconOnly = false,
  trigger,
  placement = 'bottom end',
  onOpenChange,
}: {
  label: string
  icon?: IconType
  items: readonly MenuEntry[] | readonly MenuGroup[]
  variant?: 'plain' | 'quiet'
  /** Only the icon shows; the label is its name. */
  iconOnly?: boolean
  trigger?: ReactElement
  placement?: Placement
  onOpenChange?: (isOpen: boolean) => void
}) {
  return (
    <MenuTrigger {...(onOpenChange && { onOpenChange })}>
      {trigger ??
        (iconOnly && icon ? (
          <IconButton label={label} icon={icon} />
        ) : (
          <Button variant={variant} {...(icon && { icon })}>
            {label}
          </Button>
        ))}
      <Popover placement={placement} offset={4} className={MENU_BOX}>
        <MenuList label={label} items={items} />
      </Popover>
    </MenuTrigger>
  )
}

/** The list inside a menu, for menus that open by other means (a context menu). */
export function MenuList({
  label,
  items,
  onClose,
}: {
  label: string
  items: readonly MenuEntry[] | readonly MenuGroup[]
  onClose?: () => void
}) {
  const groups: readonly MenuGroup[] = items.some((one) => 'items' in one)
    ? (items as readonly MenuGroup[])
    : [{ items: items as readonly MenuEntry[] }]
  return (
    <Menu
      aria-label={label}
      autoFocus="first"
      className="max-h-[88vh] min-w-40 overflow-auto p-1 outline-none"
      {...(onClose && { onClose })}
    >
      {groups.map((group, index) => (
        <Fragment key={group.title ?? group.items[0]?.id ?? index}>
          {index > 0 && <Separator className="my-1 border-t" />}
          <MenuSection aria-label={group.title ?? label}>
            {group.title && <Header className="px-2 pt-1.5 pb-1 text-12 text-muted">{group.title}</Header>}
            {group.items.map((item) => (
              <MenuItem
                key={item.id}
                id={item.id}
                textValue={item.label}
                isDisabled={item.isDisabled ?? false}
                onAction={item.onAction}
                className={`${MENU_ITEM} ${item.danger ? 'text-bad-text' : ''}`}
              >
                {item.icon && <Icon of={item.icon} className={item.danger ? '' : 'text-muted'} />}
                <span className="text-clip-line min-w-0 flex-1">{item.label}</span>
                {item.hint && <Keyboard className="pl-5 font-sans text-12 text-muted">{item.hint}</Keyboard>}
                {item.isChosen !== undefined && (
                  <Icon of={Check} size={14} className={item.isChosen ? 'text-brand-text' : 'invisible'} />
                )}
                {item.isChosen && <span className="sr-only">✓</span>}
              </MenuItem>
            ))}
          </MenuSection>
        </Fragment>
      ))}
    </Menu>
  )
}
