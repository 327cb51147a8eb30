import type { ReactNode } from 'react'
import { Button as AriaButton, type PressEvent } from 'react-aria-components'
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts'
import { Icon, type IconType } from './icon.tsx'

/** `primary` at most once a page. A disabled button says why in its `title`. */
export function Button({
  variant = 'plain',
  size = 'control',
  icon,
  onPress,
  isDisabled = false,
  title,
  type = 'button',
  autoFocus,
  className = '',
  children,
}: {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: IconType
  onPress?: (event: PressEvent) => void
  isDisabled?: boolean
  title?: string
  type?: 'button' | 'submit'
  autoFocus?: boolean
  className?: string
  children: ReactNode
}) {
  const button = (
    <AriaButton
      type={type}
      isDisabled={isDisabled}
      autoFocus={autoFocus ?? false}
      className={`${buttonClass(variant, size)} ${className}`}
      {...(onPress && { onPress })}
    >
      {icon && <Icon of={icon} size={size === 'small' ? 14 : 16} />}
      <span>{children}</span>
    </AriaButton>
  )
  // A native title on the wrapper also shows over a disabled button.
  return title ? (
    <span title={title} className="inline-flex flex-none">
      {button}
    </span>
  ) : (
    button
  )
}
