import type { ReactElement, ReactNode } from 'react'
import { Tooltip as AriaTooltip, Focusable, type Placement, TooltipTrigger } from 'react-aria-components'

/** Says more about a focusable child (a Button, or any element wrapped with `focusable`). Never the only place of a fact on touch. */
export function Tooltip({
  text,
  children,
  placement = 'bottom',
  focusable = false,
}: {
  text: ReactNode
  children: ReactElement
  placement?: Placement
  /** The child is no control of its own: make it reachable by keyboard. */
  focusable?: boolean
}) {
  return (
    <TooltipTrigger delay={500} closeDelay={100}>
      {focusable ? <Focusable>{children as ReactElement<Record<string, unknown>, string>}</Focusable> : children}
      <AriaTooltip
        offset={6}
        placement={placement}
        className="pop max-w-80 rounded-small bg-tip px-2 py-1 text-12 text-tip-on"
      >
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  )
}
