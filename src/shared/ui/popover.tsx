import type { ReactElement, ReactNode } from 'react'
import { Popover as AriaPopover, Dialog, DialogTrigger, type Placement } from 'react-aria-components'
import { MENU_BOX } from './menu-class.ts'

/** A small sheet at its trigger (any Button or IconButton). `children` may be a function that gets `close`. */
export function Popover({
  trigger,
  label,
  children,
  placement = 'bottom start',
  isOpen,
  onOpenChange,
}: {
  trigger: ReactElement
  /** Name for readers. */
  label: string
  children: ReactNode | ((close: () => void) => ReactNode)
  placement?: Placement
  isOpen?: boolean
  onOpenChange?: (open: boolean) => void
}) {
  return (
    <DialogTrigger {...(isOpen !== undefined && { isOpen })} {...(onOpenChange && { onOpenChange })}>
      {trigger}
      <AriaPopover placement={placement} offset={4} className={MENU_BOX}>
        <Dialog aria-label={label} className="max-w-[calc(100vw-24px)]">
          {({ close }) => <>{typeof children === 'function' ? children(close) : children}</>}
        </Dialog>
      </AriaPopover>
    </DialogTrigger>
  )
}
