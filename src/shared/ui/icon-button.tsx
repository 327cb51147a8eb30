import { Button, type PressEvent, ToggleButton } from 'react-aria-components'
import { Icon, type IconType } from './icon.tsx'
import { Tooltip } from './tooltip.tsx'

const SIZES = { control: 'size-8 rounded max-lg:pointer-coarse:size-11', small: 'size-6 rounded-small' } as const

/** A square button with an icon alone; `label` is its name and its tooltip. With `isSelected` it is a toggle. */
export function IconButton({
  label,
  icon,
  onPress,
  isSelected,
  isDisabled = false,
  size = 'control',
  badge,
  dot = false,
  hint,
}: {
  label: string
  icon: IconType
  onPress?: (event?: PressEvent) => void
  isSelected?: boolean
  isDisabled?: boolean
  size?: keyof typeof SIZES
  /** A small count on the corner; 0 shows nothing. */
  badge?: number
  /** A quiet mark on the other corner: something goes on. */
  dot?: boolean
  /** Key to press, shown in the tooltip. */
  hint?: string
}) {
  const className =
    `${SIZES[size]} relative inline-flex flex-none items-center justify-center text-muted transition-colors duration-(--quick) ` +
    'hover:bg-hover hover:text-text disabled:cursor-not-allowed disabled:text-faint selected:bg-selected selected:text-brand-text'
  const content = (
    <>
      <Icon of={icon} size={size === 'small' ? 14 : 16} />
      {badge ? (
        <span className="absolute -right-px top-px min-w-4 rounded-full bg-bad-fill px-1 text-center text-[11px]/4 text-bad-on">
          {badge > 99 ? '99+' : badge}
        </span>
      ) : null}
      {dot && <span className="absolute right-1 bottom-1 size-1.5 rounded-full bg-brand" />}
    </>
  )
  return (
    <Tooltip text={hint ? `${label} (${hint})` : label}>
      {isSelected === undefined ? (
        <Button aria-label={label} className={className} isDisabled={isDisabled} {...(onPress && { onPress })}>
          {content}
        </Button>
      ) : (
        <ToggleButton
          aria-label={label}
          className={className}
          isDisabled={isDisabled}
          isSelected={isSelected}
          onChange={() => onPress?.()}
        >
          {content}
        </ToggleButton>
      )}
    </Tooltip>
  )
}
