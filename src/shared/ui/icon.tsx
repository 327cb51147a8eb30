import type { ComponentType } from 'react'

/** A lucide icon, given as the component itself: `icon={Download}`. */
export type IconType = ComponentType<{ size?: number | string; strokeWidth?: number | string; className?: string }>

/** Decoration: the word beside it, or the label of its button, says the same. */
export function Icon({
  of: Shape,
  size = 16,
  className,
}: {
  of: IconType
  size?: 12 | 14 | 16 | 20 | 24
  className?: string
}) {
  return (
    <span aria-hidden className={`inline-flex flex-none ${className ?? ''}`}>
      <Shape size={size} strokeWidth={size < 16 ? 1.9 : 1.6} />
    </span>
  )
}
